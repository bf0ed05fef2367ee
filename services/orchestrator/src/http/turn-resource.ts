import type { TurnResource, TurnSummary } from '@skillyard/contracts';
import type { TurnView } from '@skillyard/queue';
import type { Telemetry } from '@skillyard/telemetry';

/** A turn as lists show it. */
export function turnSummary(view: TurnView): TurnSummary {
  const {
    turnId,
    status,
    submittedAtMs,
    startedAtMs,
    endedAtMs,
    skillName,
    skillHash,
    parent,
    outcome,
    waiting,
  } = view;
  const { tenant, subject, labels, priority } = view.origin;
  return {
    turnId,
    tenant,
    status,
    skill: skillName,
    skillHash,
    submittedBy: subject,
    submittedAtMs,
    startedAtMs,
    endedAtMs,
    labels,
    priority,
    parent,
    waiting,
    error: outcome?.error ?? null,
  };
}

/** What is asked for the trace of a turn; undefined where nothing is traced. */
export type TurnTraces = Pick<Telemetry, 'turnFields'> | undefined;

/** A turn as whoever asks for it by its id sees it. */
export function turnResource(view: TurnView, traces: TurnTraces): TurnResource {
  const { turnId, origin } = view;
  const { deadlineMs } = origin;
  return {
    ...turnSummary(view),
    deadlineMs: deadlineMs ?? null,
    outcome: view.outcome,
    // All lives of a turn that was reopened are in one trace.
    traceId: traces?.turnFields({ turnId, origin, reopened: 0 }).trace_id ?? null,
  };
}
