import { createLogger, runOrchestrator } from '../src/index.ts';

/*
 * An orchestrator as a process that a test can kill or stop.
 * Arguments: address of Redis, prefix of keys, length of a lease in ms, ms between renewals.
 */
const [redisUrl = '', prefix = '', leaseMs = '', renewMs = ''] = process.argv.slice(2);

const servers = { mill: { url: 'http://mill' }, oven: { url: 'http://oven', effect: 'read' as const } };
await runOrchestrator({
  // With tenants, so that jobs are held back as where several share the workers.
  config: { servers, redis: { prefix }, tenants: {} },
  baseDir: process.cwd(),
  redisUrl,
  env: {},
  log: createLogger(process.env['LOG_LEVEL'] ?? 'warn'),
  leases: { leaseMs: Number(leaseMs), renewMs: Number(renewMs) },
});
process.stdout.write('ready\n');
