import type { TurnId } from '@skillyard/contracts';
import {
  childTurnId,
  LEASE_TIMES,
  type QueueConnection,
  startTimersWorker,
  TurnClient,
  type TurnStore,
} from '@skillyard/queue';
import type { TenantLimits } from './fairness/tenant-limits.ts';
import type { OrchestratorOptions } from './orchestrator-options.ts';
import type { Policy } from './policy/policy.ts';
import { fireSchedules } from './fire-schedules.ts';
import type { SkillShelf } from './skills/skill-shelf.ts';
import { Submission } from './submission.ts';
import { jobTimedOut, turnCutOff, turnExpired } from './time-is-over.ts';
import { WebhookAddresses } from './webhooks/webhook-addresses.ts';
import { Webhooks } from './webhooks/webhooks.ts';

/**
 * What any orchestrator does for all turns, whoever runs them: submits those of schedules, says that their time is over,
 * and tells of their ends.
 */
export interface Errands {
  /** Notes that somebody outside is to be told of the end of a turn. */
  noteEnd(turnId: TurnId): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

/** @throws SkillyardError CONFIG_INVALID for webhooks that cannot be used */
export function openErrands(
  options: OrchestratorOptions,
  connection: QueueConnection,
  parts: {
    readonly store: TurnStore;
    readonly skills: SkillShelf;
    readonly policy: Policy;
    readonly limits: TenantLimits;
  },
): Errands {
  const { config, env, log, telemetry, webhookRetryMs, now = Date.now } = options;
  const { store, skills, policy, limits } = parts;
  // Found out as fast as the death of an owner.
  const lockMs = (options.leases ?? LEASE_TIMES).leaseMs;
  const addresses = new WebhookAddresses(config.webhooks);
  const webhooks = new Webhooks({
    config,
    env,
    connection,
    store,
    log,
    now,
    lockMs,
    retryDelayMs: webhookRetryMs,
    traces: telemetry,
  });
  const submission = new Submission({
    client: new TurnClient(connection),
    store,
    skills,
    admit: (tenant) => limits.admit(tenant),
    checkPolicy: (skill, roles, mode) => policy.checkDeclared(skill, roles, mode),
    checkWebhook: (address) => void addresses.check(address),
  });
  const running: { close(): Promise<void> }[] = [webhooks];
  return {
    noteEnd: (turnId) => webhooks.note(turnId),
    start: async () => {
      await webhooks.start();
      running.push(await watchTimes(options, connection));
      running.push(await fireSchedules(connection, lockMs, { submission, log }));
    },
    close: async () => {
      await Promise.all(running.map((one) => one.close()));
    },
  };
}

/** Times that are over: any orchestrator may be told. */
function watchTimes(
  options: OrchestratorOptions,
  connection: QueueConnection,
): Promise<{ close(): Promise<void> }> {
  return startTimersWorker({
    connection,
    // Found out as fast as the death of an owner: telling of a time takes milliseconds.
    lockMs: (options.leases ?? LEASE_TIMES).leaseMs,
    onDeadline: (turnId) => turnExpired(connection, turnId),
    onCutoff: (turnId) => turnCutOff(connection, turnId),
    onTimeout: (jobId) => jobTimedOut(connection, jobId, childTurnId(jobId)),
    onError: (error) => options.log.warn({ reason: error.message }, 'timers'),
  });
}
