/**
 * What the thread of a heartbeat runs. A text, as the Lua scripts are: a thread is started from a file that Node can
 * load, and this package is run from its sources as well as built.
 *
 * `beats` is shared with the main thread: how often the key had gone when it was renewed, when it was last renewed, and
 * since when it has been there without a gap. Times are those before a command was sent, so that the key lives longer
 * than they say.
 */
export const HEARTBEAT_THREAD = `'use strict';
const { createRequire } = require('node:module');
const { parentPort, workerData } = require('node:worker_threads');
const { Redis } = createRequire(workerData.from)('ioredis');
const { key, ttlMs, everyMs, redisOptions } = workerData;
const beats = new BigInt64Array(workerData.shared);
const GAPS = 0, RENEWED = 1, SINCE = 2;

// A connection on which nothing comes back is given up before the key runs out.
const redis = new Redis({
  ...redisOptions,
  connectTimeout: everyMs * 2,
  socketTimeout: everyMs,
  commandTimeout: everyMs,
  maxRetriesPerRequest: null,
  retryStrategy: () => Math.min(everyMs, 200),
});
redis.on('error', (error) => parentPort.postMessage({ failed: error.message }));

let timer;
async function beat() {
  const now = BigInt(Date.now());
  try {
    if ((await redis.set(key, String(now), 'PX', ttlMs, 'XX')) === null) {
      // Told before the key is there again: whoever sees it renewed must see the gap.
      Atomics.add(beats, GAPS, 1n);
      Atomics.store(beats, SINCE, now);
      await redis.set(key, String(now), 'PX', ttlMs);
    }
    Atomics.store(beats, RENEWED, now);
    parentPort.postMessage('beat');
  } catch (error) {
    // The next one may get through; one that is refused for good (an ACL, a read-only server) must not look like silence.
    parentPort.postMessage({ failed: error.message });
  }
  timer = setTimeout(beat, everyMs);
}

parentPort.once('message', async () => {
  clearTimeout(timer);
  await redis.del(key).catch(() => {});
  redis.disconnect();
  process.exit();
});
void beat();
`;
