/**
 * What travels between the processes, and the rules it travels by.
 *
 * A step job lives in its turn's outbox (`jobs`) from the commit that asked for it to the commit that settles it. The
 * BullMQ job is only a ticket with the same id: it holds no payload, so a job of any size costs the queue the same, and
 * the worker that takes the ticket fetches the job in the one round trip in which it asks whether it is still wanted.
 *
 * Q1  A turn's records, trace, outbox and outcome change in one script, which checks the turn's version and epoch first.
 *     Whoever lost the race drops what it has in memory and reads the turn anew.
 * Q2  Jobs are added after the commit that records them, and a result is acknowledged after that. What lies between a
 *     crash and its repeat is therefore always found: in the outbox, or unacknowledged in the stream.
 * Q3  The id of a job is its path. A queue that has a ticket of this id ignores a second one.
 * Q4  A result is applied if and only if its job is in the outbox. Applied, it leaves the outbox in the same commit.
 * Q5  A worker runs a job only if the outbox still holds it and no result of it is on its way.
 * Q6  A job is claimed before it is run. Its claim goes to another only when the worker that holds it is dead by its
 *     heartbeat: then a job that may be repeated is run again, and of one that must not run twice `lost` is reported.
 *     A claim is given back only by the attempt that holds it, and that of a `once` call only when the call provably
 *     did not reach the tool.
 * Q7  A result is posted by the holder of the claim only, and before its ticket is completed. From its posting to its
 *     application it lies in the stream: whoever inherits the ticket of a dead worker looks there first, so that a
 *     crash in between means neither a repeat nor a gap.
 * Q8  Every turn that has not ended is in its shard's live set, before anything else is known of it. Its start is asked
 *     for by a message like any other: one that is lost is sent again by the sweep over the live set.
 */
import type { StepError, StepJob, StepResult, ToolEffect, TurnId } from '@skillyard/contracts';

/** A job as the outbox holds it. */
export interface JobEnvelope {
  readonly job: StepJob;
  /** The queue its ticket goes to; null when the orchestrator itself answers it, or a person. */
  readonly queue: string | null;
  /** What a repeat may do. */
  readonly effect: ToolEffect;
  /** Whose job it is; absent: nobody's in particular. */
  readonly tenant?: string;
  /** Which of the jobs of a tenant goes first, 9 before 0; absent: 5. */
  readonly priority?: number;
  /** The span of its step (W3C Trace Context), when turns are traced. */
  readonly traceparent?: string;
  /** Why it must not be done: then nobody is asked to. */
  readonly refused?: string;
}

/** The data of a BullMQ job. */
export interface Ticket {
  readonly effect: ToolEffect;
  /** When the first attempt began, once it has, at a job whose time is limited: all attempts share that time. */
  readonly startedAtMs?: number;
  /** When the attempt that comes next may begin, after one that failed or was handed back. */
  readonly dueAtMs?: number;
}

/** What happened to a turn. */
export type TurnMessage =
  /** It was submitted, and is to be started. */
  | { readonly type: 'start'; readonly turnId: TurnId }
  | { readonly type: 'result'; readonly turnId: TurnId; readonly result: StepResult }
  | { readonly type: 'cancel'; readonly turnId: TurnId; readonly reason: StepError }
  /** The turn has reached its limit of seconds. */
  | { readonly type: 'expire'; readonly turnId: TurnId };

/** A message of a results stream, as a consumer got it. */
export interface Delivery {
  /** The id of the stream entry. */
  readonly entryId: string;
  readonly shard: number;
  /** Whether somebody may have handled it before. */
  readonly redelivered: boolean;
  readonly message: TurnMessage;
}
