import type { TurnJob, TurnState } from '@skillyard/contracts';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useCaller } from '../access/use-caller.ts';
import { durationText } from '../text/duration.ts';
import { tokensText } from '../text/tokens.ts';
import { Fact } from './fact.tsx';
import { GenerationView } from './generation-view.tsx';
import { JobActions } from './job-actions.tsx';
import { OutcomeMark } from './outcome-mark.tsx';
import { TextBlock } from './text-block.tsx';

interface JobDetailProps {
  readonly job: TurnJob;
  readonly turnStatus: TurnState;
  readonly refresh: () => void;
}

const FAILED = new Set(['error', 'lost', 'denied']);

/** One job of a step: how it went, what it was given, what it gave, and what can be done when it failed. */
export function JobDetail({ job, turnStatus, refresh }: JobDetailProps): ReactNode {
  const caller = useCaller();
  const { startedAtMs, endedAtMs, usage } = job;
  const isDecided = turnStatus === 'failed' && job.status !== null && FAILED.has(job.status);
  return (
    <section className="job" aria-label={`${job.kind} ${job.target}`}>
      <h3>
        {job.kind} <span className="id">{job.target}</span>{' '}
        {job.status !== null && <OutcomeMark state={job.status} />}
      </h3>
      <dl className="facts">
        {job.attempts !== null && <Fact name="Attempts">{job.attempts}</Fact>}
        {job.worker !== null && <Fact name="Worker">{job.worker}</Fact>}
        {startedAtMs !== null && endedAtMs !== null && (
          <Fact name="Took">{durationText(endedAtMs - startedAtMs)}</Fact>
        )}
        {job.child !== null && (
          <Fact name="Turn">
            <Link className="id" href={`/turns/${job.child}`}>
              {job.child}
            </Link>
          </Fact>
        )}
        {usage !== null && <Fact name="Tokens">{tokensText(usage)}</Fact>}
      </dl>
      {job.error !== null && (
        <p className="note bad">
          <strong>{job.error.code}</strong> {job.error.message}
        </p>
      )}
      {isDecided && caller.may('operate') && <JobActions jobId={job.jobId} onDone={refresh} />}
      {job.kind === 'generate' ? (
        <GenerationView job={job} />
      ) : (
        <>
          <TextBlock title="Input" text={JSON.stringify(job.input, null, 2)} />
          <TextBlock title="Output" text={job.output} />
        </>
      )}
      {job.truncated && <p className="quiet">Long texts were cut when this was kept.</p>}
    </section>
  );
}
