import type { TurnResource } from '@skillyard/contracts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, type ReactNode } from 'react';
import { api } from '../api.ts';
import { durationText } from '../text/duration.ts';
import { tokensText } from '../text/tokens.ts';
import type { Row } from '../turn/waterfall.ts';
import { Fact } from './fact.tsx';
import { JobDetail } from './job-detail.tsx';
import { Moment } from './moment.tsx';
import { OutcomeMark } from './outcome-mark.tsx';
import { ProblemNote } from './problem-note.tsx';

interface StepPanelProps {
  readonly turn: TurnResource;
  readonly row: Row;
  readonly close: () => void;
  readonly refresh: () => void;
}

/** Everything about one step: how it went, and what its jobs were given and gave. Escape closes it. */
export function StepPanel({ turn, row, close, refresh }: StepPanelProps): ReactNode {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    panel.current?.focus();
  }, []);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      // A dialog that is open has the key first.
      if (event.key === 'Escape' && document.querySelector('dialog[open]') === null) close();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [close]);
  const { usage, loop } = row;
  return (
    <aside className="panel" aria-label={`Step ${row.name}`} tabIndex={-1} ref={panel}>
      <div className="head">
        <h2>{row.name}</h2>
        <OutcomeMark state={row.outcome} />
        <button type="button" className="plain" onClick={close}>
          Close
        </button>
      </div>
      {row.reason !== '' && <p className="reason">{row.reason}</p>}
      <dl className="facts">
        <Fact name="Kind">{row.kind}</Fact>
        <Fact name="Path">
          <span className="id">{row.path}</span>
        </Fact>
        <Fact name="Began">
          <Moment atMs={row.startedAtMs} />
        </Fact>
        {row.durationMs !== null && <Fact name="Took">{durationText(row.durationMs)}</Fact>}
        {row.calls > 0 && <Fact name="Calls">{`${row.calls}, of which ${row.callsFailed} failed`}</Fact>}
        {usage !== null && <Fact name="Tokens">{tokensText(usage)}</Fact>}
        {loop !== null && <Fact name="At once">{`${loop.concurrency}: ${loop.reason}`}</Fact>}
      </dl>
      {row.notices.length > 0 && (
        <ul className="notices">
          {row.notices.map(({ what, attempt, reason, jobId }) => (
            <li key={`${jobId} ${attempt} ${what}`}>
              <strong>{what}</strong> attempt {attempt}: {reason}
            </li>
          ))}
        </ul>
      )}
      <Jobs turn={turn} row={row} refresh={refresh} />
    </aside>
  );
}

/** Kinds of step that have a job made for them; the others are done by the flow itself. */
const WITH_JOBS = new Set(['instruction', 'call', 'delegate', 'ask']);

function Jobs({ turn, row, refresh }: Omit<StepPanelProps, 'close'>): ReactNode {
  const { turnId } = turn;
  const jobs = useQuery({
    queryKey: ['jobs', turnId, row.path, row.outcome, turn.status],
    queryFn: () => api().listTurnJobs({ turnId, path: row.path }),
    refetchInterval: row.outcome === 'running' ? 2000 : false,
  });
  if (jobs.error !== null) return <ProblemNote error={jobs.error} retry={() => void jobs.refetch()} />;
  if (jobs.data === undefined) return <p className="quiet">Loading…</p>;
  if (!jobs.data.kept) {
    return (
      <p className="note">
        What steps were given and gave is not kept here. To keep it, write{' '}
        <code>{'history: {steps: on}'}</code> into skillyard.yaml and start the orchestrators and workers
        again; turns that run from then on have it.
      </p>
    );
  }
  if (jobs.data.jobs.length === 0) {
    return (
      <p className="note">
        {WITH_JOBS.has(row.kind)
          ? 'Nothing is kept of this step: its job has not ended or was stopped, or it ran before the history was switched on.'
          : `A step of kind ${row.kind} is done by the flow itself: it has no job.`}
      </p>
    );
  }
  return (
    <>
      {jobs.data.jobs.map((job) => (
        <JobDetail key={job.jobId} job={job} turnStatus={turn.status} refresh={refresh} />
      ))}
      {jobs.data.more > 0 && (
        <p className="quiet">{`Of ${jobs.data.more} more jobs of the turn nothing is kept: there is a limit.`}</p>
      )}
    </>
  );
}
