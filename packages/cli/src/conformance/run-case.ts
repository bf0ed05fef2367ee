import type { ConformanceCase } from './conformance-case.ts';
import { type CaseDriver, executeCase } from './execute-case.ts';
import { FUNCTIONS } from './functions.ts';
import { LINT_UNORDERED, lintCase } from './lint-case.ts';
import { inOrder } from './local-driver.ts';
import { type Difference, differences } from './match.ts';

/** How a case went. */
export interface CaseResult {
  readonly id: string;
  readonly op: string;
  readonly title: string;
  /** Empty when it passed. */
  readonly differences: readonly Difference[];
  /** Why it could not be run at all. */
  readonly problem: string | null;
  /** Why it passed although it differs from what was recorded. */
  readonly correction?: string;
}

export interface RunCaseOptions {
  readonly driver: CaseDriver;
  readonly fanOut: 'on' | 'off';
}

/** Runs one case of the suite `flow`. A case that breaks something is a failed case, not the end of the run. */
export async function runCase(one: ConformanceCase, options: RunCaseOptions): Promise<CaseResult> {
  const { id, op, title } = one;
  try {
    return { id, op, title, differences: await compare(one, options), problem: null };
  } catch (error) {
    if (error instanceof UnknownOperation) return { id, op, title, differences: [], problem: error.message };
    const problem = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { id, op, title, differences: [], problem: `it ended in an exception: ${problem}` };
  }
}

class UnknownOperation extends Error {}

async function compare(one: ConformanceCase, options: RunCaseOptions): Promise<Difference[]> {
  if (one.op === 'execute') {
    const { actual, unordered } = await executeCase(one, { ...options, sequential: inOrder });
    return differences(one.expected, actual, unordered);
  }
  if (one.op === 'lint') return differences(one.expected, lintCase(one.input as never), LINT_UNORDERED);
  const operation = Object.hasOwn(FUNCTIONS, one.op) ? FUNCTIONS[one.op] : undefined;
  if (operation === undefined) {
    throw new UnknownOperation(`this version does not know the operation "${one.op}"`);
  }
  return differences(one.expected, operation(one.input as never));
}
