import { SkillyardError } from '@skillyard/contracts';
import type { Command } from 'commander';
import { readCases } from '../conformance/conformance-case.ts';
import { inOrder, inReverse } from '../conformance/local-driver.ts';
import { hasPassed, printResults } from '../conformance/report.ts';
import { runCase, type RunCaseOptions } from '../conformance/run-case.ts';
import { EXIT } from '../terminal/exit-code.ts';
import { type Attach, type CommandContext, readChoice } from './context.ts';

interface ConformanceOptions {
  readonly driver?: string;
  readonly fanOut?: string;
  readonly redis?: string;
}

/** Suites that cases come in. Each names the operations of its own. */
const SUITES = ['flow'] as const;
/** Over Redis a case mostly waits. */
const QUEUED_AT_ONCE = 16;

/** `skillyard conformance`: runs recorded cases and compares. */
export function addConformance(program: Command, attach: Attach): void {
  const command = program
    .command('conformance')
    .summary('run recorded cases')
    .description('Runs recorded cases, prints each that differs and how, and ends with the counts.')
    .argument('<suite>', `suite of cases: ${SUITES.join(', ')}`)
    .argument('<paths...>', 'JSON files of cases, or folders of them')
    .option('--driver <local|queue>', 'run turns in this process, or over Redis with workers', 'local')
    .option('--fan-out <on|off>', 'whether independent iterations of a loop run at once', 'on')
    .option('--redis <url>', 'Redis of the queue driver; default: REDIS_URL or redis://127.0.0.1:6379');
  attach<ConformanceOptions>(command, async (context, [suite = '', ...paths], options) => {
    if (!SUITES.some((one) => one === suite)) {
      throw new SkillyardError(
        'INPUT_INVALID',
        `there is no suite "${suite}"; this version has: ${SUITES.join(', ')}`,
      );
    }
    const driver = readChoice('--driver', options.driver, ['local', 'queue']) ?? 'local';
    const fanOut = readChoice('--fan-out', options.fanOut, ['on', 'off']) ?? 'on';
    const cases = await readCases(paths, context.surroundings.cwd);
    const results = await withDriver(driver, fanOut, options, context, (run, atOnce) =>
      mapInOrder(cases, atOnce, (one) => runCase(one, run)),
    );
    printResults(results, context.terminal);
    return results.every(hasPassed) ? EXIT.completed : EXIT.failed;
  });
}

async function withDriver<T>(
  name: 'local' | 'queue',
  fanOut: 'on' | 'off',
  options: ConformanceOptions,
  context: CommandContext,
  work: (run: RunCaseOptions, atOnce: number) => Promise<T>,
): Promise<T> {
  if (name === 'local') return work({ driver: fanOut === 'on' ? inReverse : inOrder, fanOut }, 1);
  const { openQueueDriver } = await import('../conformance/queue-driver.ts');
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
