import {
  type AssetJob,
  type AssetSource,
  type CallJob,
  type Config,
  type FetchPolicy,
  type GenerateJob,
  type JobId,
  type JsonObject,
  type MemoryJob,
  type StepJob,
  type StepResult,
  turnId,
} from '@skillyard/contracts';
import { createExecutors, type Executors, type ExecutorsOptions } from '../src/index.ts';

/** The turn that the jobs of tests belong to. */
const TURN = turnId('t1');

let serial = 0;

function base(step = ''): { id: JobId; turnId: typeof TURN; path: string; step: string } {
  serial++;
  return { id: `${TURN}.${serial}.c` as JobId, turnId: TURN, path: String(serial), step };
}

/** A call job of `server:tool`. */
export function callJob(ref: string, args: JsonObject = {}, rest: Partial<CallJob> = {}): CallJob {
  const [server = '', tool = ''] = ref.split(':');
  return { ...base(), kind: 'call', server, tool, args, fill: [], notes: [], origin: 'step', ...rest };
}

export function generateJob(rest: Partial<GenerateJob> = {}): GenerateJob {
  const common = base('ask');
  return {
    ...common,
    kind: 'generate',
    model: '',
    instruction: 'Say something.',
    tools: null,
    toolChoice: 'auto',
    maxCalls: 0,
    maxToolErrors: 0,
    sampling: null,
    responseSchema: null,
    oneOf: null,
    conversation: `${common.path}.g0`,
    round: 0,
    replies: [],
    ...rest,
  };
}

export function memoryJob(handle: string, at = '', rest: Partial<MemoryJob> = {}): MemoryJob {
  return { ...base(), kind: 'memory', handle, at, notes: [], ...rest };
}

/** An asset of a source that fetches: `http`, `git`, `mcp`. */
export function assetJob(
  source: string,
  ref: string,
  fetch: Partial<FetchPolicy> = {},
  rest: Partial<AssetSource> = {},
): AssetJob {
  const policy = { ttlMs: 0, timeoutMs: 30_000, retries: 0, onUnavailable: 'fail', ...fetch } as const;
  const asset = { kind: '', source, content: '', ref, args: {}, params: {}, fetch: policy, ...rest };
  return { ...base(), kind: 'asset', name: 'rules', asset };
}

/** Executors of a configuration whose environment is the bare minimum. */
export function executorsFor(config: Config, rest: Partial<ExecutorsOptions> = {}): Executors {
  return createExecutors({
    config,
    baseDir: process.cwd(),
    ...rest,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...rest.env },
  });
}

/** Runs a job that nobody cancels. */
export async function run(executors: Executors, job: StepJob, signal?: AbortSignal): Promise<StepResult> {
  return executors.execute(job, { signal: signal ?? new AbortController().signal });
}

/** The code and message of a failed job, in one string for matching. */
export function failureText(result: StepResult): string {
  return `${result.status} ${result.error?.code ?? ''}: ${result.error?.message ?? ''}`;
}
