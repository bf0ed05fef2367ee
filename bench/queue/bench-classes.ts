import type { StepJob } from '@skillyard/contracts';

/** The class of workers that serves every tool server of the benchmarks. */
export const TOOLS = 'bench';
/** Jobs a worker has in hand at once, ours and BullMQ's own. */
export const CONCURRENCY = 32;
/** Turns, or chains of jobs, that are under way at once. */
export const FLOWS = 64;

/** Where the jobs of every skill go, whatever their servers are called. */
export function queueOf(job: StepJob): string | null {
  if (job.kind === 'generate') return 'model';
  return job.kind === 'call' ? `tool.${TOOLS}` : null;
}
