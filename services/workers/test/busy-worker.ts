import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { Config } from '@skillyard/contracts';
import { connect, startStepWorker } from '@skillyard/queue';

/*
 * A worker whose jobs leave its event loop no moment of rest. Takes the arguments of the real one; its class is `mill`,
 * and a job is what the tool `gate` does, without ever waiting.
 */

const args = process.argv.slice(2);
const valueOf = (flag: string): string => args[args.indexOf(flag) + 1] ?? '';
const config = JSON.parse(readFileSync(valueOf('--config'), 'utf8')) as Config;
await startStepWorker({
  connection: await connect({ url: valueOf('--redis'), prefix: config.redis?.prefix ?? '' }),
  workerClass: 'mill',
  concurrency: 1,
  onNotice: (notice) => process.stdout.write(`${JSON.stringify(notice)}\n`),
  execute: (job) => {
    if (job.kind !== 'call') throw new Error('only calls are asked for');
    const { file, gate } = job.args as { file: string; gate: string };
    appendFileSync(file, 'start\n');
    while (!existsSync(gate));
    appendFileSync(file, 'end\n');
    return { jobId: job.id, status: 'ok', text: 'done' };
  },
});
process.stdout.write('{"event":"ready"}\n');
