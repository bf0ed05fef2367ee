/**
 * Ids of traces and spans are derived from the ids of what they show, so that nothing has to be remembered: every
 * process knows the id of the span it belongs under, also of one that is not over yet, and whoever goes on after a
 * crash gives the same ids (ADR 0012).
 */
import { createHash } from 'node:crypto';
import type { JobId, TurnId } from '@skillyard/contracts';

/** The trace of a turn that nobody asked for within a trace. */
export function traceIdOf(turnId: TurnId): string {
  return hash(turnId, 32);
}

/**
 * The span of a turn.
 * @param reopened how often it was reopened before: each time begins a new span
 */
export function turnSpanId(turnId: TurnId, reopened: number): string {
  return hash(turnKey(turnId, reopened), 16);
}

/** The span of a step, by its path. */
export function stepSpanId(turnId: TurnId, reopened: number, path: string): string {
  return hash(`${turnKey(turnId, reopened)}/${path}`, 16);
}

/** Which attempt at a job is meant. */
export interface AttemptPlace {
  readonly jobId: JobId;
  /** When its ticket was put into the queue: a job that is redriven starts again with attempt 1. */
  readonly enqueuedAtMs: number;
  /** 1-based; those that failed and were tried again count. */
  readonly attempt: number;
  /** Workers that died in this attempt. */
  readonly lost: number;
}

/**
 * The span of an attempt at a job.
 * @param part what of it: the attempt itself (empty), its wait in the queue, what another worker says of its end
 */
export function attemptSpanId(place: AttemptPlace, part: '' | 'wait' | 'lost' | 'returned' = ''): string {
  const { jobId, enqueuedAtMs, attempt, lost } = place;
  return hash(`${jobId}#${attempt}.${lost}@${enqueuedAtMs}/${part}`, 16);
}

function turnKey(turnId: TurnId, reopened: number): string {
  return reopened === 0 ? turnId : `${turnId}@${reopened}`;
}

function hash(text: string, digits: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, digits);
}
