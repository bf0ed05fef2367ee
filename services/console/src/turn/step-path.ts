/**
 * Paths of steps as the trace writes them: `4.i42.0` is the first step of iteration 42 of the fifth step. A number is a
 * step; `i` an iteration, `b` a branch of a parallel, `t` and `e` then and else, `c` a case, `d` the default.
 */

/** The order of the flow. */
export function comparePaths(a: string, b: string): number {
  const left = a.split('.');
  const right = b.split('.');
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    const order = compareSegments(left[at] ?? '', right[at] ?? '');
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** The steps around a step, the outermost first: of `4.i2.0` it is `4`. */
export function ancestorsOf(path: string): string[] {
  const segments = path.split('.');
  const found: string[] = [];
  for (let at = 1; at < segments.length; at++) {
    if (isStep(segments[at - 1] ?? '')) found.push(segments.slice(0, at).join('.'));
  }
  return found;
}

/** The node of the flow graph that a step is an instance of: with `i` for any iteration. */
export function nodeOf(path: string): string {
  return path.replaceAll(/\bi\d+/g, 'i');
}

/** What leads to a step inside the step around it, in words; empty at the top. */
export function branchOf(path: string): string {
  const segment = path.split('.').at(-2) ?? '';
  const number = Number(segment.slice(1));
  switch (segment.charAt(0)) {
    case 'i':
      return `#${number + 1}`;
    case 'b':
      return `branch ${number + 1}`;
    case 't':
      return 'then';
    case 'e':
      return 'else';
    case 'c':
      return `case ${number + 1}`;
    case 'd':
      return 'default';
    default:
      return '';
  }
}

function isStep(segment: string): boolean {
  return /^\d+$/.test(segment);
}

function compareSegments(a: string, b: string): number {
  const left = /\d+/.exec(a);
  const right = /\d+/.exec(b);
  if (left === null || right === null) return a.localeCompare(b);
  return Number(left[0]) - Number(right[0]);
}
