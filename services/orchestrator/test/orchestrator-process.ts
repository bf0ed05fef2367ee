import { createLogger, runOrchestrator } from '../src/index.ts';

/*
 * An orchestrator as a process that a test can kill or stop.
 * Arguments: address of Redis, prefix of keys, length of a lease in ms, ms between renewals.
 */
const [redisUrl = '', prefix = '', leaseMs = '', renewMs = ''] = process.argv.slice(2);

const servers = { mill: { url: 'http://mill' }, oven: { url: 'http://oven', effect: 'read' as const } };
await runOrchestrator({
  config: { servers, redis: { prefix } },
  baseDir: process.cwd(),
  redisUrl,
  env: {},
  log: createLogger(process.env['LOG_LEVEL'] ?? 'warn'),
  leases: { leaseMs: Number(leaseMs), renewMs: Number(renewMs) },
});
process.stdout.write('ready\n');
