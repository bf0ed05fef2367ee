/*
 * A process of the system under test: an orchestrator or a worker, as its service starts it, that can be told where to
 * die. It writes `ready`, takes orders as lines on stdin (`{"id": 1, "transition": "commit.before", "nth": 2}`: die at
 * the second commit from now; with `"signal": "SIGSTOP"`: hang there) and answers `armed <id>` to each. Plain JavaScript over the built packages: a crash suite
 * starts hundreds of these, and reading sources takes twice as long.
 *
 *   node chaos/child.mjs '<ChildSettings as JSON>'
 */
import { createInterface } from 'node:readline';

/** How long what is under way may still be seen: it is not what an order means. */
const SETTLE_MS = 20;

/** @type {{ transition: string, nth: number, signal?: NodeJS.Signals } | undefined} */
let order;
let reached = 0;

/** @param {string} transition */
async function onTransition(transition) {
  if (transition !== order?.transition || ++reached < order.nth) return;
  const { signal = 'SIGKILL' } = order;
  order = undefined;
  if (signal !== 'SIGKILL') process.stdout.write('hanging\n');
  process.kill(process.pid, signal);
  // Nothing comes after a death. A process that hung goes on once it is let.
  if (signal === 'SIGKILL') await new Promise(() => {});
}

/** @param {string} line */
function take(line) {
  const { id, ...taken } = JSON.parse(line);
  setTimeout(() => {
    order = taken;
    reached = 0;
    process.stdout.write(`armed ${id}\n`);
  }, SETTLE_MS);
}

// Without its supervisor it has nothing to live for.
createInterface({ input: process.stdin })
  .on('line', take)
  .on('close', () => process.exit());

const { role, takesOrders, ...settings } = JSON.parse(process.argv[2] ?? '{}');
const options = {
  ...settings,
  baseDir: process.cwd(),
  env: process.env,
  ...(takesOrders && { onTransition }),
};
const level = process.env['LOG_LEVEL'] ?? 'silent';
if (role === 'orchestrator') {
  const { createLogger, runOrchestrator } = await import('@skillyard/orchestrator');
  await runOrchestrator({ ...options, log: createLogger(level) });
} else {
  const { createLogger, runWorker } = await import('@skillyard/workers');
  await runWorker({ ...options, log: createLogger(level) });
}
process.stdout.write('ready\n');
