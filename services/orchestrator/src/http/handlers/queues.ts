import { type Caller, type QueueResource, SkillyardError } from '@skillyard/contracts';
import type { QueueControl } from '@skillyard/queue';
import { requireAllTenants } from '../access/permission.ts';
import type { Handlers } from '../handler.ts';

export interface QueueHandlerParts {
  readonly queues: Pick<QueueControl, 'list' | 'pause' | 'resume'>;
  /** The classes of workers that the configuration has. */
  readonly classes: readonly string[];
}

type QueueOperation = 'listQueues' | 'pauseQueue' | 'resumeQueue';

/** The operations on the queues of the classes. They are shared: who holds one holds it for all tenants. */
export function queueHandlers({ queues, classes }: QueueHandlerParts): Pick<Handlers, QueueOperation> {
  const hold = async (
    caller: Caller,
    workerClass: string,
    how: 'pause' | 'resume',
  ): Promise<QueueResource> => {
    requireAllTenants(caller);
    if (!classes.includes(workerClass)) throw unknownClass(workerClass, classes);
    await queues[how](workerClass);
    return (await queues.list([workerClass]))[0] as QueueResource;
  };
  return {
    listQueues: async () => ({ queues: await queues.list(classes) }),
    pauseQueue: ({ caller, params }) => hold(caller, params.class, 'pause'),
    resumeQueue: ({ caller, params }) => hold(caller, params.class, 'resume'),
  };
}

function unknownClass(workerClass: string, classes: readonly string[]): SkillyardError {
  const message = `The configuration has no class "${workerClass}"; it has ${classes.join(', ')}.`;
  return new SkillyardError('QUEUE_UNKNOWN', message, { details: { class: workerClass } });
}
