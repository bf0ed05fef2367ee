import type { Requirement, TurnResource } from '@skillyard/contracts';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useCaller } from '../access/use-caller.ts';
import { durationText } from '../text/duration.ts';
import { tokensText } from '../text/tokens.ts';
import { Fact } from './fact.tsx';
import { LabelsList } from './labels-list.tsx';
import { Moment } from './moment.tsx';

/** When a turn ran, for whom, what it claimed and what it used. */
export function TurnFacts({ turn, nowMs }: { turn: TurnResource; nowMs: number }): ReactNode {
  const { actsForAll } = useCaller();
  return (
    <dl className="facts">
      {actsForAll && <Fact name="Tenant">{turn.tenant}</Fact>}
      <Times turn={turn} nowMs={nowMs} />
      {turn.submittedBy !== '' && <Fact name="By">{turn.submittedBy}</Fact>}
      <Fact name="Priority">{turn.priority}</Fact>
      {turn.parent !== null && (
        <Fact name="Delegated by">
          <Link href={`/turns/${turn.parent.split('.')[0] ?? ''}`}>{turn.parent}</Link>
        </Fact>
      )}
      {turn.outcome?.requirements !== undefined && (
        <Fact name="Requirements">{countsOf(turn.outcome.requirements)}</Fact>
      )}
      {turn.outcome !== null && <Usage usage={turn.outcome.usage} />}
      {turn.traceId !== null && (
        <Fact name="Trace">
          <span className="id">{turn.traceId}</span>
        </Fact>
      )}
      {Object.keys(turn.labels).length > 0 && (
        <Fact name="Labels">
          <LabelsList labels={turn.labels} />
        </Fact>
      )}
    </dl>
  );
}

function Times({ turn, nowMs }: { turn: TurnResource; nowMs: number }): ReactNode {
  const { submittedAtMs, startedAtMs, endedAtMs, deadlineMs } = turn;
  return (
    <>
      <Fact name="Submitted">
        <Moment atMs={submittedAtMs} />
      </Fact>
      <Fact name="Waited">{durationText((startedAtMs ?? endedAtMs ?? nowMs) - submittedAtMs)}</Fact>
      {startedAtMs !== null && <Fact name="Ran">{durationText((endedAtMs ?? nowMs) - startedAtMs)}</Fact>}
      {deadlineMs !== null && (
        <Fact name="Deadline">
          <Moment atMs={deadlineMs} />
        </Fact>
      )}
    </>
  );
}

function countsOf(requirements: readonly Requirement[]): string {
  const passed = requirements.filter((requirement) => requirement.passed).length;
  return `passed ${passed}, failed ${requirements.length - passed}`;
}

function Usage({ usage }: { usage: NonNullable<TurnResource['outcome']>['usage'] }): ReactNode {
  const { generations, calls } = usage;
  return <Fact name="Used">{`generations ${generations}, calls ${calls}, tokens ${tokensText(usage)}`}</Fact>;
}
