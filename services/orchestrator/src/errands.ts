import type { TurnId } from '@skillyard/contracts';
import { LEASE_TIMES, type QueueConnection, TurnClient, type TurnStore } from '@skillyard/queue';
import type { TenantLimits } from './fairness/tenant-limits.ts';
import type { OrchestratorOptions } from './orchestrator-options.ts';
import type { Policy } from './policy/policy.ts';
import { fireSchedules } from './schedules.ts';
import type { SkillShelf } from './skills/skill-shelf.ts';
import { Submission } from './submission.ts';
import { WebhookAddresses } from './webhooks/webhook-addresses.ts';
import { Webhooks } from './webhooks/webhooks.ts';

/** What any orchestrator does for all turns, whoever runs them: submits those of schedules, and tells of their ends. */
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
  const { config, env, log, webhookRetryMs, now = Date.now } = options;
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
  });
  const submission = new Submission({
    client: new TurnClient(connection),
    store,
    skills,
    admit: (tenant) => limits.admit(tenant),
    checkPolicy: (skill, roles, mode) => policy.checkDeclared(skill, roles, mode),
    checkWebhook: (address) => void addresses.check(address),
  });
  let schedules: { close(): Promise<void> } | undefined;
  return {
    noteEnd: (turnId) => webhooks.note(turnId),
    start: async () => {
      await webhooks.start();
      schedules = await fireSchedules(connection, lockMs, { submission, log });
    },
    close: async () => {
      await Promise.all([webhooks.close(), schedules?.close()]);
    },
  };
}
