import { ERRORS, SkillyardError } from '@skillyard/contracts';
import closeWithGrace from 'close-with-grace';
import { readProcessConfig } from './config.ts';
import { createLogger } from './logger.ts';
import { runWorker } from './run-worker.ts';

/*
 * A worker as a process. Writes one line to stdout when it is ready: {"event":"ready","role":"worker","classes":[...]}.
 * SIGTERM and SIGINT: takes no more jobs, finishes or hands back those under way, ends with 0; a second signal ends it
 * at once.
 */

/** How long an end may take before it is forced. */
const GRACE_MS = 60_000;

try {
  const started = await readProcessConfig(process.argv.slice(2), process.env, process.cwd());
  const { loaded, classes, redisUrl, env, concurrency } = started;
  const log = createLogger(started.logLevel);
  const worker = await runWorker({
    config: loaded.config,
    baseDir: loaded.baseDir,
    classes,
    redisUrl,
    env,
    log,
    ...(concurrency !== undefined && { concurrency }),
  });
  closeWithGrace({ delay: GRACE_MS, logger: false }, async ({ err, signal }) => {
    if (err) log.error({ err }, 'a bug ends this process');
    else log.info({ signal }, 'stopping');
    await worker.close();
  });
  process.stdout.write(`${JSON.stringify({ event: 'ready', role: 'worker', classes, pid: process.pid })}\n`);
} catch (error) {
  if (!SkillyardError.is(error)) throw error;
  process.stderr.write(`skillyard worker: ${error.message}\n`);
  process.exitCode = ERRORS[error.code].exit;
}
