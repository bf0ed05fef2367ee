import { ALL_TENANTS, type Caller, type JobId } from '@skillyard/contracts';
import type { Operator } from '@skillyard/queue';
import type { Handlers } from '../handler.ts';
import type { OwnTurns } from '../own-turns.ts';
import { requireClass } from './known-class.ts';

export interface JobHandlerParts {
  readonly operator: Pick<Operator, 'listFailed' | 'inspect' | 'redrive' | 'resolve' | 'redriveClass'>;
  readonly own: OwnTurns;
  /** The classes that may have failed jobs. */
  readonly classes: readonly string[];
}

type JobOperation = 'listFailedJobs' | 'inspectJob' | 'redriveJob' | 'resolveJob' | 'redriveClass';

/** The operations on failed jobs: those of the caller's turns. */
export function jobHandlers({ operator, own, classes }: JobHandlerParts): Pick<Handlers, JobOperation> {
  const ownJob = async (caller: Caller, params: { readonly jobId: string }): Promise<JobId> => {
    const jobId = params.jobId as JobId;
    await own.checkJob(caller, jobId);
    return jobId;
  };
  return {
    listFailedJobs: async ({ caller, query }) => {
      const { class: workerClass, cursor, limit } = query;
      if (workerClass !== undefined) requireClass(workerClass, classes);
      const { jobs, next } = await operator.listFailed({
        ...(workerClass !== undefined && { workerClass }),
        ...(cursor !== undefined && { cursor }),
        ...(limit !== undefined && { limit }),
        ...only(caller),
      });
      return { jobs: [...jobs], next };
    },
    inspectJob: async ({ caller, params }) => operator.inspect(await ownJob(caller, params)),
    redriveJob: async ({ caller, params }) => ({
      turnIds: await operator.redrive(await ownJob(caller, params), caller.subject),
    }),
    resolveJob: async ({ caller, params, body }) => {
      const remedy =
        'text' in body ? ({ how: 'value', text: body.text } as const) : ({ how: 'rerun' } as const);
      return { turnIds: await operator.resolve(await ownJob(caller, params), remedy, caller.subject) };
    },
    redriveClass: async ({ caller, params }) => {
      requireClass(params.class, classes);
      const { redriven, refused } = await operator.redriveClass(params.class, caller.subject, only(caller));
      return { redriven: [...redriven], refused: [...refused] };
    },
  };
}

function only({ tenant }: Caller): { tenant?: string } {
  return tenant === ALL_TENANTS ? {} : { tenant };
}
