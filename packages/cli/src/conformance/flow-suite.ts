import { type CommandContext, readChoice } from '../commands/context.ts';
import { readCases } from './conformance-case.ts';
import { inOrder, inReverse } from './local-driver.ts';
import { type CaseResult, runCase, type RunCaseOptions } from './run-case.ts';
import type { SuiteOptions } from './suite.ts';

/** Over Redis a case mostly waits. */
const QUEUED_AT_ONCE = 16;

/**
 * The suite `flow`: the cases of the format, in JSON files.
 * @throws SkillyardError FILE_UNREADABLE or INPUT_INVALID
 */
export async function runFlowSuite(
  paths: readonly string[],
  options: SuiteOptions,
  context: CommandContext,
): Promise<readonly CaseResult[]> {
  const driver = readChoice('--driver', options.driver, ['local', 'queue']) ?? 'local';
  const fanOut = readChoice('--fan-out', options.fanOut, ['on', 'off']) ?? 'on';
  const cases = await readCases(paths, context.surroundings.cwd);
  return withDriver(driver, fanOut, options, context, (run, atOnce) =>
    mapInOrder(cases, atOnce, (one) => runCase(one, run)),
  );
}

async function withDriver<T>(
  name: 'local' | 'queue',
  fanOut: 'on' | 'off',
  options: SuiteOptions,
  context: CommandContext,
  work: (run: RunCaseOptions, atOnce: number) => Promise<T>,
): Promise<T> {
  if (name === 'local') return work({ driver: fanOut === 'on' ? inReverse : inOrder, fanOut }, 1);
  const { openQueueDriver } = await import('./queue-driver.ts');
  const queue = await openQueueDriver({ url: options.redis, env: context.surroundings.env });
  try {
    return await work({ driver: queue.run, fanOut }, QUEUED_AT_ONCE);
  } finally {
    await queue.close();
  }
}

/** Does something for each item, several at once; the results stand in the order of the items. */
async function mapInOrder<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const rest = items.entries();
  const lane = async (): Promise<void> => {
    for (const [index, item] of rest) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return results;
}
