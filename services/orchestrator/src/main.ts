import { ERRORS, SkillyardError } from '@skillyard/contracts';
import closeWithGrace from 'close-with-grace';
import { readProcessConfig } from './config.ts';
import { createLogger } from './logger.ts';
import { runOrchestrator } from './run-orchestrator.ts';

/*
 * The orchestrator as a process. Writes one line to stdout when it is ready: {"event":"ready","role":"orchestrator"},
 * with the address of its API as "http" when it has one.
 * SIGTERM and SIGINT: takes nothing more, finishes what is under way, ends with 0; a second signal ends it at once.
 */

/** How long an end may take before it is forced. */
const GRACE_MS = 30_000;

try {
  const { loaded, redisUrl, env, logLevel } = await readProcessConfig(
    process.argv.slice(2),
    process.env,
    process.cwd(),
  );
  const log = createLogger(logLevel);
  const orchestrator = await runOrchestrator({
    config: loaded.config,
    baseDir: loaded.baseDir,
    redisUrl,
    env,
    log,
  });
  closeWithGrace({ delay: GRACE_MS, logger: false }, async ({ err, signal }) => {
    if (err) log.error({ err }, 'a bug ends this process');
    else log.info({ signal }, 'stopping');
    await orchestrator.close();
  });
  const { http } = orchestrator;
  const ready = { event: 'ready', role: 'orchestrator', pid: process.pid, ...(http !== null && { http }) };
  process.stdout.write(`${JSON.stringify(ready)}\n`);
} catch (error) {
  if (!SkillyardError.is(error)) throw error;
  process.stderr.write(`skillyard orchestrator: ${error.message}\n`);
  process.exitCode = ERRORS[error.code].exit;
}
