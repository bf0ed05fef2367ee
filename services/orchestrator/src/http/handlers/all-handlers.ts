import { type Config, workerClasses } from '@skillyard/contracts';
import {
  type ApiKeys,
  type AuditLog,
  JobHistory,
  Operator,
  Questions,
  QueueControl,
  type QueueConnection,
  RedisToolCatalog,
  type Schedules,
  TurnClient,
  TurnIndex,
  TurnStore,
} from '@skillyard/queue';
import type { TenantLimits } from '../../fairness/tenant-limits.ts';
import type { Policy } from '../../policy/policy.ts';
import { SkillChecker } from '../../skills/skill-checker.ts';
import type { SkillShelf } from '../../skills/skill-shelf.ts';
import { Submission } from '../../submission.ts';
import { WebhookAddresses } from '../../webhooks/webhook-addresses.ts';
import type { Handlers } from '../handler.ts';
import { OwnTurns } from '../own-turns.ts';
import type { TurnTraces } from '../turn-resource.ts';
import { accessHandlers } from './access.ts';
import { jobHandlers } from './jobs.ts';
import { questionHandlers } from './questions.ts';
import { queueHandlers } from './queues.ts';
import { scheduleHandlers } from './schedules.ts';
import { skillHandlers } from './skills.ts';
import { turnHandlers } from './turns.ts';

export interface HandlerParts {
  readonly config: Config;
  readonly connection: QueueConnection;
  readonly limits: TenantLimits;
  readonly shelf: SkillShelf;
  readonly policy: Policy;
  readonly keys: ApiKeys;
  readonly audit: AuditLog;
  readonly schedules: Schedules;
  readonly traces: TurnTraces;
}

/**
 * The handlers of all operations, put together.
 * @throws SkillyardError CONFIG_INVALID
 */
export function allHandlers(parts: HandlerParts): Handlers {
  const { config, connection, limits, shelf, policy, keys, audit, schedules, traces } = parts;
  const store = new TurnStore(connection);
  const client = new TurnClient(connection);
  const own = new OwnTurns(store);
  const operator = new Operator(connection);
  const webhooks = new WebhookAddresses(config.webhooks);
  const submission = new Submission({
    client,
    store,
    skills: shelf,
    admit: (tenant) => limits.admit(tenant),
    checkPolicy: (skill, roles, mode) => policy.checkDeclared(skill, roles, mode),
    checkWebhook: (address) => void webhooks.check(address),
  });
  const classes = workerClasses(config);
  return {
    ...turnHandlers({
      client,
      own,
      store,
      index: new TurnIndex(connection),
      operator,
      submission,
      skills: shelf,
      history: config.history?.steps === 'on' ? new JobHistory(connection) : null,
      traces,
    }),
    ...questionHandlers({ questions: new Questions(connection), own }),
    // Failed jobs that needed no worker are under `orchestrator`.
    ...jobHandlers({ operator, own, classes: [...classes, 'orchestrator'] }),
    ...queueHandlers({ queues: new QueueControl(connection), classes }),
    ...skillHandlers(shelf, new SkillChecker(config, shelf, new RedisToolCatalog(connection))),
    ...scheduleHandlers(schedules, submission),
    ...accessHandlers({ keys, audit, policy }),
  };
}
