import { Worker } from 'node:worker_threads';

const LOOK_EVERY_MS = 1000;

/**
 * What runs beside the code of an author, and so also when that code never comes back: when the worker that started us is
 * gone, nobody waits for what is done here, and it may be done elsewhere again.
 */
const WATCH = `
const { workerData } = require('node:worker_threads');
setInterval(() => {
  if (process.ppid === workerData) return;
  for (const group of [-process.pid, process.pid]) {
    try { process.kill(group, 'SIGKILL'); } catch {}
  }
}, ${LOOK_EVERY_MS});
`;

/** Ends this process, and what it has started, when the one that started it is gone, whatever it is busy with. */
export function endWithWorker(): void {
  // Windows keeps the number of a parent that is gone.
  if (process.platform === 'win32') return;
  new Worker(WATCH, { eval: true, workerData: process.ppid }).unref();
}
