/** Lines between the system text of a skill and the table. */
export const INTRO_LINES = 6;

/** What of a preamble is no matter of wording: the text before it, its table, and which tool each tag has. */
export interface PreambleShape {
  readonly leading_system: string | null;
  /** As it is written in a string literal. */
  readonly separator_after_system: string | null;
  readonly standard_intro_lines: number;
  readonly columns: readonly string[];
  readonly separator_row: string;
  readonly rows: readonly { readonly tag: string; readonly tool: string }[];
}

/** @param introLines lines that stand right before the table and are the same for every skill */
export function describePreamble(text: string, introLines: number): PreambleShape {
  const lines = text.split('\n');
  const head = lines.findIndex((line) => /^\| *Tag *\|/.test(line));
  const before = lines.slice(0, Math.max(head - introLines, 0));
  const own = before.length > 0 && before.at(-1) === '' ? before.slice(0, -1) : before;
  return {
    leading_system: before.length === 0 ? null : own.join('\n'),
    separator_after_system:
      before.length === 0 ? null : own.length < before.length ? String.raw`\n\n` : String.raw`\n`,
    standard_intro_lines: Math.min(head, introLines),
    columns: cells(lines[head] ?? ''),
    separator_row: lines[head + 1] ?? '',
    rows: lines
      .slice(head + 2)
      .filter((line) => line.startsWith('|'))
      .map((line) => {
        const [tag = '', tool = ''] = cells(line);
        return { tag, tool };
      }),
  };
}

function cells(row: string): string[] {
  return row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}
