import type { Caller, QueueResource } from '@skillyard/contracts';
import type { QueueControl } from '@skillyard/queue';
import { requireAllTenants } from '../access/permission.ts';
import type { Handlers } from '../handler.ts';
import { requireClass } from './known-class.ts';

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
    requireClass(workerClass, classes);
    await queues[how](workerClass);
    return (await queues.list([workerClass]))[0] as QueueResource;
  };
  return {
    listQueues: async () => ({ queues: await queues.list(classes) }),
    pauseQueue: ({ caller, params }) => hold(caller, params.class, 'pause'),
    resumeQueue: ({ caller, params }) => hold(caller, params.class, 'resume'),
  };
}
