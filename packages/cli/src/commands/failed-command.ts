import type { FailedJob, InspectedJob } from '@skillyard/queue';
import type { Command } from 'commander';
import { addSystemOptions, asOperator, type SystemOptions } from '../queue/as-operator.ts';
import { readJobId } from '../queue/read-id.ts';
import { EXIT } from '../terminal/exit-code.ts';
import { oneLine, type Terminal } from '../terminal/terminal.ts';
import type { Attach } from './context.ts';

interface FailedOptions extends SystemOptions {
  readonly class?: string;
  readonly after?: string;
}

/** `skillyard failed`: jobs that failed, and what can be done about one. */
export function addFailed(program: Command, attach: Attach): void {
  const command = program
    .command('failed')
    .summary('list failed jobs, or look at one')
    .description(
      'Lists failed jobs, newest first: the latest 50, or page by page those of a class. Of one job: what can be done.',
    )
    .argument('[job-id]', 'look at this job')
    .option('--class <name>', 'jobs of this class of workers; `orchestrator` for those that need no worker')
    .option('--after <cursor>', 'go on after a page, as the page before printed it');
  attach<FailedOptions>(addSystemOptions(command), async (context, [text], options) => {
    const { terminal } = context;
    await asOperator(context, options, async (operator) => {
      if (text !== undefined) {
        const inspected = await operator.inspect(readJobId(text));
        if (terminal.json) terminal.document(inspected);
        else printInspected(inspected, terminal);
        return;
      }
      const { class: workerClass, after } = options;
      const page = await operator.listFailed({
        ...(workerClass !== undefined && { workerClass }),
        ...(after !== undefined && { cursor: after }),
      });
      if (terminal.json) terminal.document(page);
      else printPage(page.jobs, page.next, terminal);
    });
    return EXIT.completed;
  });
}

function printPage(jobs: readonly FailedJob[], next: string | null, terminal: Terminal): void {
  if (jobs.length === 0) terminal.err('no failed jobs');
  for (const job of jobs) terminal.out(lineOf(job));
  if (next !== null) terminal.err(`more: --after ${next}`);
}

function lineOf(job: FailedJob): string {
  const { atMs, jobId, code, message, queue, attempts } = job;
  const tries = (attempts ?? 1) > 1 ? ` after ${attempts} attempts` : '';
  return `${new Date(atMs).toISOString()}  ${queue}  ${jobId}  ${whatOf(job)}  ${code}${tries}: ${oneLine(message)}`;
}

function whatOf({ step, path, kind, target }: FailedJob): string {
  return oneLine(`${step === '' ? path : step} (${[kind, target].filter(Boolean).join(' ')})`, 80);
}

function printInspected(inspected: InspectedJob, terminal: Terminal): void {
  const { job, jobId, turnStatus, notRedrivable, notResolvable } = inspected;
  terminal.out(job === null ? jobId : lineOf(job));
  if (job?.worker != null) terminal.out(`  ran last on worker ${job.worker}`);
  if (job?.attempts != null) terminal.out(`  attempts: ${job.attempts}`);
  terminal.out(`  its turn: ${turnStatus ?? 'forgotten'}`);
  terminal.out(
    notRedrivable === null ? `  skillyard redrive ${jobId}` : `  not to be redriven: ${notRedrivable}`,
  );
  if (notResolvable === null) terminal.out(`  skillyard resolve ${jobId} --value <text> | --rerun`);
}
