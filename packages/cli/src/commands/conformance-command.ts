import type { Command } from 'commander';
import { hasPassed, printResults } from '../conformance/report.ts';
import type { SuiteOptions } from '../conformance/suite.ts';
import { findSuite, SUITE_NAMES } from '../conformance/suites.ts';
import { EXIT } from '../terminal/exit-code.ts';
import type { Attach } from './context.ts';

/** `skillyard conformance`: runs recorded cases and compares. */
export function addConformance(program: Command, attach: Attach): void {
  const command = program
    .command('conformance')
    .summary('run recorded cases')
    .description('Runs recorded cases, prints each that differs and how, and ends with the counts.')
    .argument('<suite>', `suite of cases: ${SUITE_NAMES.join(', ')}`)
    .argument('<paths...>', 'files of cases, or folders of them')
    .option('--driver <local|queue>', 'flow: run turns in this process, or over Redis with workers', 'local')
    .option('--fan-out <on|off>', 'flow: whether independent iterations of a loop run at once', 'on')
    .option('--redis <url>', 'Redis of the queue driver; default: REDIS_URL or redis://127.0.0.1:6379');
  attach<SuiteOptions>(command, async (context, [suite = '', ...paths], options) => {
    const results = await findSuite(suite)(paths, options, context);
    printResults(results, context.terminal);
    return results.every(hasPassed) ? EXIT.completed : EXIT.failed;
  });
}
