import { oneLine, type Terminal } from '../terminal/terminal.ts';
import type { CaseResult } from './run-case.ts';

/** Differences shown of one case: the first explain the rest. */
const MAX_DIFFERENCES = 8;
const MAX_VALUE = 400;

export function hasPassed(result: CaseResult): boolean {
  return result.problem === null && result.differences.length === 0;
}

/** Prints each case that failed with how it differs, and how many passed and failed. */
export function printResults(results: readonly CaseResult[], terminal: Terminal): void {
  const failed = results.filter((result) => !hasPassed(result));
  const passed = results.length - failed.length;
  const corrected = results.filter(({ correction }) => correction !== undefined);
  if (terminal.json) {
    const corrections = corrected.map(({ id, correction }) => ({ id, correction }));
    const more = corrections.length === 0 ? {} : { corrections };
    terminal.document({ passed, failed: failed.length, failures: failed, ...more });
    return;
  }
  for (const result of failed) terminal.out(renderFailure(result, terminal));
  const corrections =
    corrected.length === 0 ? '' : ` (${corrected.length} with a correction of what was recorded)`;
  terminal.out(`${passed} passed${corrections}, ${failed.length} failed`);
}

function renderFailure(result: CaseResult, terminal: Terminal): string {
  const { colors } = terminal;
  const lines = [
    `${colors.red('failed')} ${result.id} ${colors.dim(`(${result.op}: ${oneLine(result.title)})`)}`,
  ];
  if (result.problem !== null) lines.push(`  ${result.problem.split('\n', 1)[0] ?? ''}`);
  for (const { path, expected, actual } of result.differences.slice(0, MAX_DIFFERENCES)) {
    lines.push(`  ${path === '' ? 'the result' : path}`);
    lines.push(`    ${colors.green('expected')} ${oneLine(expected, MAX_VALUE)}`);
    lines.push(`    ${colors.red('got     ')} ${oneLine(actual, MAX_VALUE)}`);
  }
  const more = result.differences.length - MAX_DIFFERENCES;
  if (more > 0) lines.push(`  and ${more} more differences`);
  return lines.join('\n');
}
