import type { StoredTurn } from '@skillyard/queue';
import type { TracedTurn } from '@skillyard/telemetry';
import type { LiveTurn } from './live-turn.ts';

/** What the spans of a turn that runs tell of it. */
export function tracedTurn({ turn, origin, lineage }: LiveTurn): TracedTurn {
  const { header, program } = turn;
  return {
    turnId: header.id,
    skill: program.name,
    origin,
    isDelegated: lineage.parent !== null,
    startedAtMs: header.reopened?.atMs ?? header.startedAtMs,
    reopened: header.reopened?.times ?? 0,
  };
}

/** The same of a turn whose machine never ran, or cannot be read any more. */
export function tracedStoredTurn({ view, lineage }: StoredTurn): TracedTurn {
  const { turnId, skillName, origin, startedAtMs, submittedAtMs } = view;
  return {
    turnId,
    skill: skillName,
    origin,
    isDelegated: lineage.parent !== null,
    startedAtMs: startedAtMs ?? submittedAtMs,
    reopened: 0,
  };
}
