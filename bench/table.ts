/** What a benchmark found: rows for people, one line of JSON for machines. */
export interface Report {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly summary: Readonly<Record<string, number>>;
}

/** Prints a report as a table with right-aligned numbers. */
export function printTable(report: Report): void {
  const all = [report.columns, ...report.rows];
  const widths = report.columns.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('   ');
  console.log(`${report.title}\n`);
  for (const row of all) console.log(line(row));
  console.log(
    `\n${Object.entries(report.summary)
      .map(([key, value]) => `${key}: ${value}`)
      .join('   ')}`,
  );
}

/** A whole number with separators: `123,456`. */
export function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/**
 * The best of several runs: the one that the rest of the machine disturbed least.
 * @returns milliseconds
 */
export async function bestOf(runs: number, work: () => Promise<void> | void): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) {
    const start = performance.now();
    await work();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}
