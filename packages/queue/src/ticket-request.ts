import {
  DEFAULT_PRIORITY,
  DEFAULT_TENANT,
  type JobId,
  type StepJob,
  type ToolEffect,
} from '@skillyard/contracts';
import { calledTool } from './called-tool.ts';
import type { JobEnvelope } from './envelope.ts';

/** What a ticket is made of, without the job: small enough to be kept for every job that has to wait. */
export interface TicketRequest {
  readonly id: JobId;
  readonly queue: string;
  /** What dashboards call it. */
  readonly name: string;
  readonly effect: ToolEffect;
  readonly tenant: string;
  /** Which of the jobs of a tenant goes first: 9 before 0. */
  readonly priority: number;
  /** The place among the tickets of its queue: 1 is taken first. Without one, first come first served. */
  readonly place?: number;
}

/**
 * @param place what `place` says
 * @returns null for a job that no worker does
 */
export function ticketRequest(envelope: JobEnvelope, place: number | undefined): TicketRequest | null {
  const { job, queue, effect, tenant = DEFAULT_TENANT, priority = DEFAULT_PRIORITY } = envelope;
  if (queue === null) return null;
  const request = { id: job.id, queue, name: ticketName(job), effect, tenant, priority };
  return place === undefined ? request : { ...request, place };
}

function ticketName(job: StepJob): string {
  const called = calledTool(job);
  return called === null ? job.kind : `${called.server}:${called.tool}`;
}
