import { structuredPatch } from 'diff';

export interface DiffOptions {
  /** Unchanged lines around a change. */
  readonly context: number;
}

const HEADER = '--- before\n+++ after';

/**
 * The difference of two texts, line by line.
 * @param options absent: line i is compared with line i, and every line is shown, which suits texts of fixed lines. Given:
 *   a unified diff, in which a line that was put in or taken out does not change those after it, in hunks
 */
export function diff(before: string, after: string, options?: DiffOptions): string {
  return options === undefined
    ? `${HEADER}\n${positional(before.split('\n'), after.split('\n')).join('\n')}`
    : [HEADER, ...hunks(before, after, options.context)].join('\n');
}

function positional(before: readonly string[], after: readonly string[]): string[] {
  const lines: string[] = [];
  for (let index = 0; index < Math.max(before.length, after.length); index += 1) {
    const old = before[index];
    const fresh = after[index];
    if (old !== undefined && old === fresh) {
      lines.push(` ${old}`);
      continue;
    }
    if (old !== undefined) {
      lines.push(`-${old}`);
    }
    if (fresh !== undefined) {
      lines.push(`+${fresh}`);
    }
  }
  return lines;
}

function hunks(before: string, after: string, context: number): string[] {
  return structuredPatch('before', 'after', before, after, undefined, undefined, { context }).hunks.flatMap(
    (hunk) => [`@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`, ...hunk.lines],
  );
}
