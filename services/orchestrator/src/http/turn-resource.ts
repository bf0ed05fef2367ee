import type { TurnResource, TurnSummary } from '@skillyard/contracts';
import type { TurnView } from '@skillyard/queue';

/** A turn as lists show it. */
export function turnSummary(view: TurnView): TurnSummary {
  const { turnId, status, submittedAtMs, startedAtMs, endedAtMs, skillName, skillHash, parent, outcome } =
    view;
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
    error: outcome?.error ?? null,
  };
}

/** A turn as whoever asks for it by its id sees it. */
export function turnResource(view: TurnView): TurnResource {
  const { deadlineMs, traceparent } = view.origin;
  return {
    ...turnSummary(view),
    deadlineMs: deadlineMs ?? null,
    outcome: view.outcome,
    traceId: traceparent === undefined ? null : (traceparent.split('-')[1] ?? null),
  };
}
