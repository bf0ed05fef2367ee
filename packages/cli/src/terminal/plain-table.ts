import Table, { type HorizontalAlignment } from 'cli-table3';

const NO_BORDERS = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};

/**
 * A table without lines around its cells.
 * @returns its lines, none with blanks at its end
 */
export function plainTable(
  head: readonly string[],
  colAligns: readonly HorizontalAlignment[],
  rows: readonly (readonly string[])[],
): string[] {
  const table = new Table({
    head: [...head],
    chars: NO_BORDERS,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
    colAligns: [...colAligns],
  });
  for (const row of rows) table.push([...row]);
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
}
