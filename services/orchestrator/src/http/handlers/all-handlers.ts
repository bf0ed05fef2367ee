import { type Config, workerClasses } from '@skillyard/contracts';
import {
  type ApiKeys,
  type AuditLog,
  JobHistory,
  Operator,
  type QueueConnection,
  QueueControl,
  TurnClient,
  TurnIndex,
  TurnStore,
} from '@skillyard/queue';
import type { TenantLimits } from '../../fairness/tenant-limits.ts';
import type { Policy } from '../../policy/policy.ts';
import type { SkillShelf } from '../../skills/skill-shelf.ts';
import { Submission } from '../../submission.ts';
import type { Handlers } from '../handler.ts';
import { OwnTurns } from '../own-turns.ts';
import { accessHandlers } from './access.ts';
import { jobHandlers } from './jobs.ts';
import { queueHandlers } from './queues.ts';
import { turnHandlers } from './turns.ts';

export interface HandlerParts {
  readonly config: Config;
  readonly connection: QueueConnection;
  readonly limits: TenantLimits;
  readonly shelf: SkillShelf;
  readonly policy: Policy;
  readonly keys: ApiKeys;
  readonly auditLog: AuditLog;
}

/** The handlers of all operations, put together. */
export function allHandlers(parts: HandlerParts): Partial<Handlers> {
  const { config, connection, limits, shelf, policy, keys, auditLog } = parts;
  const store = new TurnStore(connection);
  const client = new TurnClient(connection);
  const own = new OwnTurns(store);
  const operator = new Operator(connection);
  const submission = new Submission({
    client,
    store,
    skills: shelf,
    admit: (tenant) => limits.admit(tenant),
    checkPolicy: (skill, roles, mode) => policy.checkDeclared(skill, roles, mode),
    checkWebhook: () => {},
  });
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
    }),
    ...jobHandlers({ operator, own }),
    ...accessHandlers({ keys, audit: auditLog, policy }),
    ...queueHandlers({ queues: new QueueControl(connection), classes: workerClasses(config) }),
  };
}
