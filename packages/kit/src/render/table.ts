export interface TableOptions {
  /** Keys to show, in order; those of the first row when absent. */
  readonly columns?: readonly string[];
  /** What stands in a status column instead of a value. */
  readonly statusIcons?: Readonly<Record<string, string>>;
  /** Columns that have icons; `status` when absent. */
  readonly statusColumns?: readonly string[];
  /** true: `|` and line breaks of values do not break the table. Off by default: a cell may hold markup of its own. */
  readonly escapeCells?: boolean;
}

const STATUS_COLUMNS = ['status'];

/** A Markdown table; the empty string when there are no rows. Null and undefined give an empty cell. */
export function table(
  rows: readonly Readonly<Record<string, unknown>>[],
  options: TableOptions = {},
): string {
  const [first] = rows;
  if (first === undefined) {
    return '';
  }
  const columns = options.columns ?? Object.keys(first);
  return [
    line(columns.map((column) => (options.escapeCells === true ? escapeCell(column) : column))),
    line(columns.map(() => '---')),
    ...rows.map((row) => line(columns.map((column) => cell(row[column], column, options)))),
  ].join('\n');
}

function cell(value: unknown, column: string, options: TableOptions): string {
  const text = textOf(value);
  const icons = options.statusIcons;
  if (
    icons !== undefined &&
    Object.hasOwn(icons, text) &&
    (options.statusColumns ?? STATUS_COLUMNS).includes(column)
  ) {
    return icons[text] ?? text;
  }
  return options.escapeCells === true ? escapeCell(text) : text;
}

function textOf(value: unknown): string {
  // oxlint-disable-next-line typescript/no-base-to-string -- what a row holds is the author's business
  return value === null || value === undefined ? '' : String(value);
}

function escapeCell(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('|', '\\|')
    .replace(/\r\n|\r|\n/g, '<br>');
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
