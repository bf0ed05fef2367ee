import type { Fragment } from './fragment.ts';

/**
 * The text of a template: its values put in, blank lines at both ends dropped, and the indent that all lines share
 * taken away. A fragment gives its content, everything else what `String` makes of it. A value of several lines counts
 * with the indent it has: only its first line stands where the template puts it.
 */
export function resolveTemplate(strings: TemplateStringsArray, values: readonly unknown[]): string {
  const text = strings.reduce((before, part, index) => before + textOf(values[index - 1]) + part);
  return dedent(text);
}

function textOf(value: unknown): string {
  return isFragment(value) ? value.content : String(value);
}

function isFragment(value: unknown): value is Fragment {
  return (
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    'content' in value &&
    typeof value.content === 'string'
  );
}

function dedent(text: string): string {
  const lines = text.split('\n');
  const isWritten = (line: string): boolean => line.trim() !== '';
  const first = lines.findIndex(isWritten);
  if (first < 0) {
    return '';
  }
  const kept = lines.slice(first, lines.findLastIndex(isWritten) + 1);
  const indents = kept.filter(isWritten).map((line) => line.length - line.trimStart().length);
  const common = indents.reduce((least, indent) => Math.min(least, indent));
  return kept.map((line) => line.slice(common)).join('\n');
}
