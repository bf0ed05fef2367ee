/** What the bare BullMQ processes agree on. */
export const QUEUE = 'bare';
/** The stream in which the ends of chains are told. */
export const ENDS = 'bare-ends';

/** The data of a bare job: what a call of ours hands to its tool. */
export interface BareJob {
  readonly flow: string;
  readonly q: string;
  /** Jobs that come after this one in its chain. */
  readonly follow?: number;
}

/** What ours are added with: they go when they are done, and are tried again. */
export const JOB_OPTIONS = {
  removeOnComplete: true,
  removeOnFail: true,
  attempts: 4,
  backoff: { type: 'exponential', delay: 1000 },
};

/** Jobs to be run by bare BullMQ. */
export interface JobsToRun {
  /** Under way at once, each with one job after the other. */
  readonly flows: number;
  readonly jobsPerFlow: number;
}
