import { classOfServer, type Config, MODEL_CLASS, type StepJob } from '@skillyard/contracts';
import { calledTool, type StepQueuesOptions } from '@skillyard/queue';
import { retryPolicy } from '@skillyard/runtime';

/** After every server and model that has a number: those go up to 1000. */
const LAST = 1001;

/** How a configuration wants step jobs to be queued. */
export function ticketOptions(config: Config): StepQueuesOptions {
  const { attempts } = retryPolicy(config);
  return { attempts, priorityOf: (job) => priorityOf(job, config) };
}

/** Only the jobs of a class that has priorities get one: sorting costs, and the others are taken as they come. */
function priorityOf(job: StepJob, config: Config): number | undefined {
  const served = servedBy(job, config);
  if (served === undefined) return undefined;
  const priorities = config.classes?.[served.workerClass]?.priority;
  if (priorities === undefined) return undefined;
  return Object.hasOwn(priorities, served.name) ? priorities[served.name] : LAST;
}

/** The class whose workers do a job, and what a priority calls what they do it with. */
function servedBy(job: StepJob, config: Config): { workerClass: string; name: string } | undefined {
  if (job.kind === 'generate') {
    return { workerClass: MODEL_CLASS, name: job.model === '' ? (config.default_model ?? '') : job.model };
  }
  const called = calledTool(job);
  if (called === null) return undefined;
  return { workerClass: classOfServer(called.server, config), name: called.server };
}
