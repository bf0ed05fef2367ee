/**
 * One cell of the crash matrix: a process dies at one transition of one turn, is started again, and everything that is
 * promised of this turn is looked at.
 */
import type { TurnId } from '@skillyard/contracts';
import type { Transition } from '@skillyard/queue';
import { until } from '@skillyard/testing';
import type { Kind } from './kinds.ts';
import type { Role, System } from './system.ts';
import type { World } from './world.ts';

export interface Cell {
  readonly kind: Kind;
  readonly role: Role;
  readonly transition: Transition;
  /** Which time that the role reaches the transition in this turn. */
  readonly nth: number;
  /** It is a decision of code that is under way then: made again, it leaves no trace outside. */
  readonly isDecision?: boolean;
}

/** What became of the turn of a cell. */
export interface Seen {
  readonly status: string;
  readonly errorCode: string | null;
  readonly answer: string;
  /** Lines its tools wrote. */
  readonly executions: number;
  readonly generations: number;
  /** Steps with more than one row in the trace. */
  readonly doubleRows: string[];
  readonly ends: number;
  /** Last parts of the keys that are left of it. */
  readonly keys: string[];
  /** Those of them that would never go. */
  readonly immortal: string[];
}

/** A worker that dies here has not begun its job. */
const BEFORE_IT_RAN: ReadonlySet<Transition> = new Set(['claim.before', 'claim.after', 'execute.before']);
/** A worker that dies here has done its job and told nobody. */
const IN_VAIN: ReadonlySet<Transition> = new Set(['execute.after', 'result.before']);

/** What is kept of a turn that can be reopened: what it was before the result that ended it. */
export const REOPENABLE_KEYS = ['claims', 'ended-jobs', 'meta', 'payloads', 'replay', 'state', 'trace'];

let cells = 0;

/** A key that no other turn has, and no other key begins with. */
export function newKey({ kind }: { readonly kind: Pick<Kind, 'name'> }): string {
  return `k${++cells}-${kind.name.replaceAll(/\W+/g, '-')}`;
}

/** Runs a cell. */
export async function runCell(
  world: World,
  system: System,
  cell: Cell,
): Promise<{ seen: Seen; expected: Seen }> {
  const key = newKey(cell);
  const victim = system.roles[cell.role];
  await Promise.all(Object.values(system.roles).map((one) => one.ready()));
  await system.quiet();
  const { deaths } = victim;
  await victim.order(cell);
  const turnId = await system.submit(cell.kind, key);
  await until(() => victim.deaths > deaths, 20_000, `the death of the ${cell.role} at ${cell.transition}`);
  await system.outcome(turnId);
  await system.quiet();
  const seen = await look(world, system, turnId, key);
  return { seen, expected: expectedOf(cell, key, seen.executions) };
}

/** Looks at the turn of a cell that is over. */
export async function look(world: World, system: System, turnId: TurnId, key: string): Promise<Seen> {
  const outcome = await system.outcome(turnId);
  const events = await system.events(turnId);
  const rows = events.flatMap((event) => (event.type === 'step.finished' ? [event.path] : []));
  const keys = await system.keysOf(turnId);
  return {
    status: outcome.status,
    errorCode: outcome.error?.code ?? null,
    answer: outcome.answer,
    executions: (await world.lines(key)).length,
    generations: world.model.requests.filter(({ prompt }) => prompt.includes(key)).length,
    doubleRows: rows.filter((path, index) => rows.indexOf(path) !== index),
    ends: events.filter(({ type }) => type === 'turn.finished').length,
    keys: keys.map(({ name }) => name),
    immortal: keys.flatMap(({ name, expires }) => (expires ? [] : [name])),
  };
}

/**
 * What the design promises (5.2), as numbers.
 * @param executions how often its tools ran
 */
function expectedOf(
  { kind, role, transition, isDecision = false }: Cell,
  key: string,
  executions: number,
): Seen {
  const runsCall = role === 'tool' && !isDecision;
  const began = !BEFORE_IT_RAN.has(transition);
  const inVain = IN_VAIN.has(transition);
  const lost = runsCall && kind.effect === 'once' && isLostAt(transition);
  const repeated = inVain && !lost;
  const failed = lost && kind.answerIfLost === undefined;
  const answer = lost ? (kind.answerIfLost?.(key) ?? '') : kind.answer(key);
  const generations = lost ? (kind.generationsIfLost ?? kind.generations) : kind.generations;
  // How many of several calls at once a death takes with it is chance: each runs once or twice.
  const byChance = Math.min(Math.max(executions, kind.executions), 2 * kind.executions);
  const oneCall = lost ? Number(began) : kind.executions + Number(repeated && runsCall);
  return {
    status: failed ? 'failed' : 'completed',
    errorCode: failed ? 'STEP_LOST' : null,
    answer,
    executions: runsCall && kind.executions > 1 ? byChance : oneCall,
    generations: generations + Number(repeated && role === 'model'),
    doubleRows: [],
    ends: 1,
    keys: keysLeft(kind, failed),
    immortal: [],
  };
}

/** Started means claimed: whether the tool was reached before its worker died, nobody knows. */
function isLostAt(transition: Transition): boolean {
  return transition !== 'claim.before' && (IN_VAIN.has(transition) || BEFORE_IT_RAN.has(transition));
}

function keysLeft({ keeps = [] }: Kind, canBeReopened: boolean): string[] {
  return canBeReopened ? [...REOPENABLE_KEYS, ...keeps].toSorted() : ['meta', 'trace'];
}
