/**
 * Turns that are stopped while a process that has to do with it dies: cancelled on request, by their limit of seconds,
 * or in a step by its timeout.
 */
import { writeFile } from 'node:fs/promises';
import type { JobId, TurnId } from '@skillyard/contracts';
import { childTurnId, type Transition, TRANSITIONS } from '@skillyard/queue';
import { until } from '@skillyard/testing';
import { look, newKey, REOPENABLE_KEYS, type Seen } from './cell.ts';
import {
  GATE_SUFFIX,
  HELD_CALL,
  HELD_CHILD,
  HELD_GENERATION,
  HELD_REPEATABLE,
  type HeldKind,
  LIMITED_CALL,
  LIMITED_CHILD,
  TIMED_CALL,
  TIMED_CHILD,
  TIMED_GENERATION,
  TIMED_REPEATABLE,
} from './stop-kinds.ts';
import type { Role, System } from './system.ts';
import type { World } from './world.ts';

export interface StopCell {
  readonly kind: HeldKind;
  readonly stop: 'cancel' | 'deadline' | 'timeout';
  readonly role: Role;
  /** Where it dies when the stop has come; `before`: it is dead when the stop comes. */
  readonly at: 'before' | Transition;
  readonly nth: number;
  /** What the turn ends with, where it is not the stop. */
  readonly code?: string;
}

const cell = (
  [stop, kind]: [StopCell['stop'], HeldKind],
  role: Role,
  at: StopCell['at'],
  more: Partial<StopCell> = {},
): StopCell => ({ stop, kind, role, at, nth: 1, ...more });

const SHORT: readonly StopCell[] = [
  cell(['cancel', HELD_CALL], 'orchestrator', 'before'),
  cell(['cancel', HELD_CALL], 'orchestrator', 'commit.before'),
  cell(['cancel', HELD_CALL], 'orchestrator', 'commit.after'),
  cell(['cancel', HELD_CHILD], 'orchestrator', 'enqueue.before'),
  cell(['deadline', LIMITED_CALL], 'orchestrator', 'before'),
  cell(['cancel', HELD_CALL], 'tool', 'before'),
  cell(['timeout', TIMED_GENERATION], 'model', 'before'),
];

/** What an orchestrator goes through from there on: the last of all transitions, in their order. */
const AFTER_A_STOP = TRANSITIONS.slice(TRANSITIONS.indexOf('commit.before'));

const LONG: readonly StopCell[] = [
  ...[HELD_CALL, HELD_GENERATION, HELD_CHILD].flatMap((kind) =>
    (['before', ...AFTER_A_STOP] as const).map((at) => cell(['cancel', kind], 'orchestrator', at)),
  ),
  // The second time is that of the delegated turn.
  ...AFTER_A_STOP.map((at) => cell(['cancel', HELD_CHILD], 'orchestrator', at, { nth: 2 })),
  ...[LIMITED_CALL, LIMITED_CHILD].flatMap((kind) =>
    (['before', ...AFTER_A_STOP] as const).map((at) => cell(['deadline', kind], 'orchestrator', at)),
  ),
  ...(['before', ...AFTER_A_STOP] as const).map((at) => cell(['timeout', TIMED_CHILD], 'orchestrator', at)),
  ...(['before', 'execute.after'] as const).flatMap((at) => [
    cell(['cancel', HELD_CALL], 'tool', at),
    cell(['deadline', LIMITED_CALL], 'tool', at),
    cell(['cancel', HELD_GENERATION], 'model', at),
    cell(['cancel', HELD_CHILD], 'model', at),
  ]),
  cell(['cancel', HELD_REPEATABLE], 'orchestrator', 'commit.before'),
  cell(['cancel', HELD_REPEATABLE], 'tool', 'before'),
  cell(['timeout', TIMED_REPEATABLE], 'tool', 'before'),
  // Whether the call happened is not known: that comes before the time it took.
  cell(['timeout', TIMED_CALL], 'tool', 'before', { code: 'STEP_LOST' }),
  cell(['timeout', TIMED_CALL], 'tool', 'execute.after', { code: 'STEP_LOST' }),
  cell(['timeout', TIMED_GENERATION], 'model', 'before'),
  cell(['timeout', TIMED_GENERATION], 'model', 'execute.after'),
];

/** The cells of a role. */
export function stopCellsOf(role: Role, isLong: boolean): StopCell[] {
  return (isLong ? LONG : SHORT).filter((one) => one.role === role);
}

/** What became of a turn that was stopped, and of the one it delegated to. */
interface Stopped {
  readonly turn: Seen;
  readonly child: Seen | null;
}

/** Runs a cell. */
export async function runStopCell(
  world: World,
  system: System,
  { kind, stop, role, at, nth, code }: StopCell,
): Promise<{ seen: Stopped; expected: Stopped }> {
  const key = newKey({ kind });
  const victim = system.roles[role];
  await Promise.all(Object.values(system.roles).map((one) => one.ready()));
  await system.quiet();
  const { deaths } = victim;
  const turnId = await system.submit(kind, key);
  await until(async () => (await begunOf(world, kind, key)) > 0, 20_000, `turn ${turnId} to be held`);
  if (at === 'before') await victim.kill();
  else await victim.order({ transition: at, nth });
  if (stop === 'cancel') await system.client.cancelTurn(turnId, 'enough');
  await until(() => victim.deaths > deaths, 20_000, `the death of the ${role} at ${at}`);
  await system.outcome(turnId);
  await writeFile(world.file(key + GATE_SUFFIX), '');
  await system.quiet();
  const child = kind.delegates ? childTurnId(`${turnId}.0.d` as JobId) : null;
  const seen = {
    turn: { ...(await seenOf(world, system, turnId, key)), executions: await begunOf(world, kind, key) },
    child: child === null ? null : await seenOf(world, system, child, key),
  };
  return { seen, expected: expectedOf({ kind, stop, role, at, nth, ...(code && { code }) }) };
}

/** Answers and counts of what other suites look at do not matter here. */
async function seenOf(world: World, system: System, turnId: TurnId, key: string): Promise<Seen> {
  return { ...(await look(world, system, turnId, key)), answer: '', executions: 0, generations: 0 };
}

/** How often what holds a turn was begun. */
async function begunOf(world: World, { waitsFor }: HeldKind, key: string): Promise<number> {
  if (waitsFor === 'generation')
    return world.model.requests.filter(({ prompt }) => prompt.includes(key)).length;
  return (await world.lines(key)).filter((line) => line === 'start').length;
}

const CODES = { cancel: 'TURN_CANCELLED', deadline: 'LIMIT_EXCEEDED', timeout: 'STEP_TIMEOUT' } as const;

function expectedOf({ kind, stop, code }: StopCell): Stopped {
  const ended = { answer: '', executions: 0, generations: 0, doubleRows: [], ends: 1, immortal: [] };
  const cancelled = { ...ended, status: 'cancelled', errorCode: CODES.cancel, keys: ['meta', 'trace'] };
  return {
    turn: {
      ...ended,
      status: stop === 'cancel' ? 'cancelled' : 'failed',
      errorCode: code ?? CODES[stop],
      executions: 1,
      keys: stop === 'timeout' ? REOPENABLE_KEYS : ['meta', 'trace'],
    },
    child: kind.delegates ? cancelled : null,
  };
}
