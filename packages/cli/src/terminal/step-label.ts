import { oneLine } from './terminal.ts';

/** The parts of a path, such as `3.i42.0`: step 3 of the flow, its iteration 42, the first step of the body. */
interface PathParts {
  /** How many steps the step is nested in. */
  readonly depth: number;
  /** Which iterations it belongs to, counted from 1, outermost first. */
  readonly iterations: readonly number[];
}

function readPath(path: string): PathParts {
  let steps = 0;
  const iterations: number[] = [];
  for (const segment of path.split('.')) {
    if (/^\d+$/.test(segment)) steps += 1;
    else if (/^i\d+$/.test(segment)) iterations.push(Number(segment.slice(1)) + 1);
  }
  return { depth: Math.max(0, steps - 1), iterations };
}

/** What a row of the trace is called: indented as the step is nested, with the number of its iteration. */
export function stepLabel(step: { readonly path: string; readonly name: string }): string {
  const { depth, iterations } = readPath(step.path);
  const numbers = iterations.map((number) => `[${number}]`).join('');
  return `${'  '.repeat(depth)}${oneLine(step.name, 60)}${numbers === '' ? '' : ` ${numbers}`}`;
}
