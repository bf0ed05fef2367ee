import type { AssetJob, CallJob, DelegateJob, GenerateJob, JsonObject, StepJob } from '@skillyard/contracts';

/** Which job of its turn a job is: its id without the turn, the same in every run of a case. */
export function jobPlace(job: Pick<StepJob, 'id'>): string {
  return job.id.slice(job.id.indexOf('.') + 1);
}

/** A request as cases record it, and the job that made it. */
interface Entry {
  readonly job: string;
  readonly request: unknown;
}

type Double = 'runner' | 'caller' | 'delegate' | 'assets';

/** What the doubles were asked, in the words of the cases. */
export class RequestLog {
  readonly #entries: Readonly<Record<Double, Entry[]>> = { runner: [], caller: [], delegate: [], assets: [] };

  runner(job: GenerateJob): void {
    this.#entries.runner.push({
      job: jobPlace(job),
      request: {
        step: job.step,
        instruction: job.instruction,
        tools: job.tools,
        model: job.model,
        max_calls: job.maxCalls,
        max_tool_errors: job.maxToolErrors,
        one_of: job.oneOf,
        sampling: job.sampling,
        has_schema: job.responseSchema !== null,
      },
    });
  }

  caller(job: CallJob, args: JsonObject): void {
    this.#entries.caller.push({ job: jobPlace(job), request: { server: job.server, tool: job.tool, args } });
  }

  delegate(job: DelegateJob): void {
    this.#entries.delegate.push({ job: jobPlace(job), request: { skill: job.skill, task: job.task } });
  }

  asset(job: AssetJob): void {
    this.#entries.assets.push({ job: jobPlace(job), request: job.name });
  }

  /** The jobs that asked, in the order in which they did. */
  jobs(): string[] {
    return Object.values(this.#entries).flatMap((entries) => entries.map((entry) => entry.job));
  }

  /**
   * The requests as a case compares them.
   * @param order the jobs of a sequential run, in its order: a run that fans out is read in the same order
   * @param isVoid whether a job belongs to an iteration that started early and was discarded
   */
  read(
    order: readonly string[] = [],
    isVoid: (job: string) => boolean = () => false,
  ): Record<Double, unknown[]> {
    const place = new Map(order.map((job, index) => [job, index]));
    const rank = (entry: Entry): number => place.get(entry.job) ?? Number.MAX_SAFE_INTEGER;
    const list = (double: Double): unknown[] =>
      this.#entries[double]
        .filter((entry) => !isVoid(entry.job))
        .toSorted((a, b) => rank(a) - rank(b))
        .map((entry) => entry.request);
    return {
      runner: list('runner'),
      caller: list('caller'),
      delegate: list('delegate'),
      assets: list('assets'),
    };
  }
}
