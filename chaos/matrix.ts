import type { Transition } from '@skillyard/queue';
import type { Cell } from './cell.ts';
import {
  CODE,
  DELEGATE,
  FAN_OUT,
  GENERATE,
  IDEMPOTENT,
  type Kind,
  LOOP,
  ONCE,
  ONCE_ABORT,
  PROGRAM,
} from './kinds.ts';
import type { Role } from './system.ts';

const KINDS = [GENERATE, ONCE, ONCE_ABORT, IDEMPOTENT, LOOP, DELEGATE, FAN_OUT] as const;

const WORKER_TRANSITIONS: readonly Transition[] = [
  'claim.before',
  'claim.after',
  'execute.before',
  'execute.after',
  'result.before',
  'result.after',
  'ack.after',
];

/** In the order in which they have to wait least for what the one before left. */
const ORCHESTRATOR_TRANSITIONS: readonly Transition[] = [
  'announce.before',
  'announce.after',
  'start.before',
  'commit.before',
  'commit.after',
  'enqueue.before',
  'enqueue.after',
  'ack.before',
  'ack.after',
  'start.after',
];

/** Once per turn, whatever it does. */
const ONCE_PER_TURN: ReadonlySet<Transition> = new Set([
  'start.before',
  'start.after',
  'announce.before',
  'announce.after',
]);

/** Whether every combination is wanted: `npm run chaos`. */
export const isLong = process.env['CHAOS'] === 'long';
/** How often the long form goes through all of it. */
export const rounds = isLong ? Number(process.env['CHAOS_ROUNDS'] ?? 3) : 1;

/** The cells of a role: in the short form one for each transition, in the long form one for each kind as well. */
export function cellsOf(role: Role): Cell[] {
  return isLong ? everyCell(role) : shortCells(role);
}

function shortCells(role: Role): Cell[] {
  switch (role) {
    case 'model':
      return WORKER_TRANSITIONS.map((transition) => ({ kind: GENERATE, role, transition, nth: 1 }));
    case 'tool':
      return [
        ...WORKER_TRANSITIONS.map((transition) => ({ kind: ONCE, role, transition, nth: 1 })),
        { kind: IDEMPOTENT, role, transition: 'claim.after', nth: 1 },
        { kind: IDEMPOTENT, role, transition: 'execute.after', nth: 1 },
        { kind: ONCE_ABORT, role, transition: 'execute.after', nth: 1 },
        { kind: CODE, role, transition: 'execute.after', nth: 1, isDecision: true },
        { kind: CODE, role, transition: 'execute.after', nth: 2 },
        { kind: CODE, role, transition: 'result.after', nth: 2 },
        { kind: CODE, role, transition: 'execute.after', nth: 3, isDecision: true },
        { kind: PROGRAM, role, transition: 'execute.before', nth: 2 },
        { kind: PROGRAM, role, transition: 'execute.after', nth: 2 },
        { kind: PROGRAM, role, transition: 'execute.after', nth: 3, isDecision: true },
      ];
    case 'orchestrator':
      return [
        { kind: DELEGATE, role, transition: 'announce.before', nth: 1 },
        { kind: DELEGATE, role, transition: 'announce.after', nth: 1 },
        // The second time: the start of a turn has its own transitions.
        ...ORCHESTRATOR_TRANSITIONS.map((transition) => ({
          kind: ONCE,
          role,
          transition,
          nth: ONCE_PER_TURN.has(transition) || transition.startsWith('ack') ? 1 : 2,
        })),
        { kind: ONCE, role, transition: 'commit.after', nth: 1 },
        { kind: CODE, role, transition: 'commit.after', nth: 2 },
        { kind: CODE, role, transition: 'enqueue.before', nth: 2 },
        { kind: DELEGATE, role, transition: 'submit.before', nth: 1 },
        { kind: DELEGATE, role, transition: 'submit.after', nth: 1 },
      ];
  }
}

function everyCell(role: Role): Cell[] {
  const taking = KINDS.filter((kind) => role === 'orchestrator' || kind.workers.includes(role));
  return taking.flatMap((kind) =>
    transitionsOf(role, kind).flatMap((transition) =>
      Array.from({ length: timesOf(role, kind, transition) }, (_, index) => ({
        kind,
        role,
        transition,
        nth: index + 1,
      })),
    ),
  );
}

function transitionsOf(role: Role, kind: Kind): readonly Transition[] {
  if (role !== 'orchestrator') return WORKER_TRANSITIONS;
  if (kind !== DELEGATE) return ORCHESTRATOR_TRANSITIONS;
  return [...ORCHESTRATOR_TRANSITIONS, 'submit.before', 'submit.after'];
}

/** How many occurrences of a transition are tried: of those that a turn of this kind surely has. */
function timesOf(role: Role, kind: Kind, transition: Transition): number {
  if (role !== 'orchestrator') return role === 'model' && kind === GENERATE ? 2 : 1;
  const turns = kind === DELEGATE ? 2 : 1;
  if (ONCE_PER_TURN.has(transition)) return turns;
  if (transition.startsWith('submit')) return 1;
  // A start, a result each; results that come together are one batch.
  return transition.startsWith('ack') ? 2 : 3;
}
