import type { StepFinished, StepsDiscarded, TraceEvent } from '@skillyard/contracts';

/** The trace of a turn: rows of the flow, and notices of steps inside parallel branches. */
export interface Trace {
  readonly steps: StepFinished[];
  readonly notices: StepFinished[];
}

/**
 * Puts the rows of a turn into the order of the sequential run, whatever order they were written in, and leaves out
 * those that were discarded.
 * @param events all events of one turn, in the order they were written
 */
export function assembleTrace(events: Iterable<TraceEvent>): Trace {
  const valid: (StepFinished | StepsDiscarded)[] = [];
  for (const event of events) {
    if (event.type === 'step.finished' || event.type === 'steps.discarded') valid.push(event);
    else if (event.type === 'turn.reopened') valid.splice(Math.max(0, valid.length - event.voids));
  }
  const rows = valid.filter((event) => event.type === 'step.finished');
  const discarded = valid.filter((event) => event.type === 'steps.discarded').map(({ path }) => `${path}.`);
  const kept =
    discarded.length === 0
      ? rows
      : rows.filter((row) => !discarded.some((path) => row.path.startsWith(path)));
  // Without fan-out the rows were written in the order of the flow already.
  const isOrdered = !kept.some((row) => row.branch || (row.loop?.concurrency ?? 1) > 1);
  const sorted = isOrdered ? kept : inPlace(kept);
  return { steps: sorted.filter((row) => !row.branch), notices: sorted.filter((row) => row.branch) };
}

function inPlace(rows: readonly StepFinished[]): StepFinished[] {
  const keyed = rows.map((row) => ({ row, place: placeOf(row) }));
  return keyed.toSorted((a, b) => comparePlaces(a.place, b.place)).map(({ row }) => row);
}

/** A place in the flow: indexes from the root down. Loops and forks come after what is inside them. */
type Place = readonly number[];

function placeOf(row: StepFinished): Place {
  const place = segments(row.path);
  if (row.kind === 'for_each' || row.kind === 'parallel' || row.kind === 'code')
    place.push(Number.POSITIVE_INFINITY);
  return place;
}

/**
 * The indexes of a path. A segment is an index, or a letter and an index; of the lettered ones no two kinds meet at one
 * place, so the letters do not matter. Read by character code: a long loop leaves tens of thousands of rows to place.
 */
function segments(path: string): number[] {
  if (path === '') return [];
  const indexes: number[] = [];
  let index = 0;
  for (let at = 0; at < path.length; at++) {
    const code = path.charCodeAt(at);
    if (code === DOT) {
      indexes.push(index);
      index = 0;
    } else if (code <= NINE) {
      index = index * 10 + (code - ZERO);
    }
  }
  indexes.push(index);
  return indexes;
}

const DOT = 46;
const ZERO = 48;
const NINE = 57;

function comparePlaces(a: Place, b: Place): number {
  for (let index = 0; index < a.length && index < b.length; index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0 && !Number.isNaN(difference)) return difference;
  }
  return a.length - b.length;
}

/** Compares two paths by their place in the flow: what the sequential run does first comes first. */
export function comparePaths(a: string, b: string): number {
  return a === b ? 0 : comparePlaces(segments(a), segments(b));
}
