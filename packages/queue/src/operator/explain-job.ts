import { DEFAULT_TENANT, type JobId, type StepJob, type TurnId } from '@skillyard/contracts';
import type { JobEnvelope } from '../envelope.ts';
import { classOfQueue } from '../step-route.ts';
import type { TurnState } from '../turns/turn-status.ts';
import type { TenantJobs } from '../tenants/held-jobs.ts';
import { readHolder } from '../worker/claim.ts';
import type { QueueFacts } from './queue-facts.ts';
import type { TicketFacts } from './ticket.ts';

/** What a job waits for. */
export type Hold =
  | 'no-worker'
  | 'paused'
  | 'rate-limit'
  | 'concurrency'
  /** Jobs before it, or workers that are busy. */
  | 'jobs-ahead'
  /** Its tenant has as much in flight as it is due: it is in no queue yet. */
  | 'tenant-share'
  | 'running'
  | 'retry'
  | 'orchestrator'
  | 'child-turn'
  | 'person'
  /** Its queue has no ticket of it. */
  | 'no-ticket';

/** Why a job that a turn waits for has not been answered. */
export interface JobExplanation {
  readonly jobId: JobId;
  readonly path: string;
  readonly step: string;
  readonly kind: StepJob['kind'];
  /** What it is for: `server:tool`, a model, a skill, an asset. Empty for the default model. */
  readonly target: string;
  /** null when no queue is involved. */
  readonly queue: string | null;
  readonly hold: Hold;
  /** The same as a sentence. */
  readonly why: string;
  /** Jobs that are taken before it; null when it does not wait in a queue, or too far back to count. */
  readonly ahead: number | null;
  /** Since when it is held so, in milliseconds since the epoch. */
  readonly sinceMs: number | null;
  /** Attempts so far, the one under way included. */
  readonly attempts: number;
  readonly nextAttemptAtMs: number | null;
  /** What the last attempt failed with. */
  readonly lastCode: string | null;
  /** The worker that runs it. */
  readonly worker: string | null;
  /** The turn that answers it. */
  readonly child: TurnId | null;
}

/** Everything a job is judged by. */
export interface JobFacts {
  readonly envelope: JobEnvelope;
  /** Who started it, or `done`. */
  readonly claim: string | null;
  readonly ticket: TicketFacts | null;
  readonly queue: QueueFacts | null;
  /** The jobs of its tenant at its queue, when some of them are held back. */
  readonly held: TenantJobs | null;
  /** The turn that answers a delegate job; status null when it is not there. */
  readonly child: { readonly turnId: TurnId; readonly status: TurnState | null } | null;
  readonly orchestrators: number;
}

type Verdict = Pick<JobExplanation, 'hold' | 'why'> & Partial<JobExplanation>;

/** Says what holds a job. The first reason that would have to go away is the one that is told. */
export function explainJob(facts: JobFacts, nowMs: number): JobExplanation {
  const { job, queue } = facts.envelope;
  const ticket = facts.ticket;
  return {
    jobId: job.id,
    path: job.path,
    step: job.step,
    kind: job.kind,
    target: targetOf(job),
    queue,
    ahead: null,
    sinceMs: null,
    attempts: ticket?.attempts ?? 0,
    nextAttemptAtMs: null,
    lastCode: ticket?.lastCode ?? null,
    worker: null,
    child: null,
    ...verdictOn(facts, nowMs),
  };
}

function verdictOn(facts: JobFacts, nowMs: number): Verdict {
  const { envelope, claim, ticket, queue, orchestrators } = facts;
  // A claim without a ticket: the worker posted the result and completed the ticket (Q7).
  if (claim === 'done' || (claim !== null && ticket?.state === 'none')) {
    const why =
      orchestrators === 0
        ? 'its result is there, and no orchestrator is running that would apply it; start one'
        : 'its result is there and about to be applied';
    return { hold: 'orchestrator', why };
  }
  if (envelope.queue === null || ticket === null || queue === null) return withoutQueue(facts);
  switch (ticket.state) {
    case 'active':
      return running(ticket, claim, nowMs);
    case 'delayed':
      // Another worker looked at the ticket of a job that is held, and will look again (W2 in worker/step-worker.ts).
      return claim === null ? retrying(ticket, nowMs) : running(ticket, claim, nowMs);
    case 'waiting':
      return { ...waiting(ticket, queue), ahead: ticket.ahead, sinceMs: ticket.addedAtMs };
    case 'none':
      if (facts.held !== null) return stoodStill(queue) ?? heldBack(envelope, envelope.queue, facts.held);
      return {
        hold: 'no-ticket',
        why: `the queue ${envelope.queue} has no ticket of it; an orchestrator adds it again when it next looks through its turns`,
      };
  }
}

function heldBack({ tenant = DEFAULT_TENANT }: JobEnvelope, queue: string, jobs: TenantJobs): Verdict {
  const inFlight = jobs.inFlight.toLocaleString('en');
  const held = jobs.held.toLocaleString('en');
  const why =
    `it waits for the share of tenant ${tenant} in class ${classOfQueue(queue)}: ` +
    `${inFlight} of its jobs are with the workers or in their queue, ${held} wait`;
  return { hold: 'tenant-share', why };
}

function withoutQueue({ envelope, child, orchestrators }: JobFacts): Verdict {
  const { kind } = envelope.job;
  if (kind === 'ask') return { hold: 'person', why: 'it waits for the answer of a person' };
  if (kind === 'delegate' && child !== null) {
    const { turnId, status } = child;
    const why =
      status === null
        ? `it waits for turn ${turnId}, which is not there yet`
        : `it waits for turn ${turnId}, which is ${status}; ask the same of that turn`;
    return { hold: 'child-turn', why, child: turnId };
  }
  const why =
    orchestrators === 0
      ? 'the orchestrator answers it itself, and none is running; start one'
      : 'the orchestrator is answering it itself';
  return { hold: 'orchestrator', why };
}

function running(ticket: TicketFacts, claim: string | null, nowMs: number): Verdict {
  const attempts = ticket.attempts + 1;
  const since = ticket.takenAtMs === null ? '' : ` for ${span(nowMs - ticket.takenAtMs)}`;
  const worker = claim === null ? null : readHolder(claim).worker;
  const where = worker === null ? '' : ` on worker ${worker}`;
  const again = attempts === 1 ? '' : `, attempt ${attempts}`;
  const why = `it has been running${since}${where}${again}`;
  return { hold: 'running', why, sinceMs: ticket.takenAtMs, attempts, worker };
}

function retrying(ticket: TicketFacts, nowMs: number): Verdict {
  const { dueAtMs, lastCode, attempts } = ticket;
  const wait = dueAtMs === null ? 'soon' : `in ${span(dueAtMs - nowMs)}`;
  const because = lastCode === null ? '' : `; the last one failed with ${lastCode}`;
  const why = `attempt ${attempts + 1} is ${wait}${because}`;
  return { hold: 'retry', why, sinceMs: ticket.takenAtMs, nextAttemptAtMs: dueAtMs };
}

/** What keeps every job of a queue; null when it moves. */
function stoodStill({ queue, paused, workers }: QueueFacts): Verdict | null {
  if (paused) return { hold: 'paused', why: `the queue ${queue} is paused` };
  if (workers > 0) return null;
  const why = `no worker of class ${classOfQueue(queue)} is connected to the queue ${queue}; start one`;
  return { hold: 'no-worker', why };
}

function waiting(ticket: TicketFacts, facts: QueueFacts): Verdict {
  const { queue, workers, concurrency, active, rateLimitedForMs } = facts;
  const still = stoodStill(facts);
  if (still !== null) return still;
  if (rateLimitedForMs > 0) {
    const why = `the rate limit of the queue ${queue} lets the next job through in ${span(rateLimitedForMs)}`;
    return { hold: 'rate-limit', why };
  }
  if (concurrency !== null && active >= concurrency) {
    const why = `the queue ${queue} may run ${count(concurrency, 'job')} at once, and does`;
    return { hold: 'concurrency', why };
  }
  const { ahead } = ticket;
  const busy = `${count(workers, 'worker')} with ${count(active, 'job')} under way`;
  if (ahead === 0)
    return { hold: 'jobs-ahead', why: `it is the next in the queue ${queue}, which has ${busy}` };
  const many = ahead === null ? 'more than 10,000 jobs are' : ahead === 1 ? '1 job is' : `${ahead} jobs are`;
  return { hold: 'jobs-ahead', why: `${many} before it in the queue ${queue}, which has ${busy}` };
}

/** What a job is for, in one word. */
export function targetOf(job: StepJob): string {
  switch (job.kind) {
    case 'generate':
      return job.model;
    case 'call':
      return `${job.server}:${job.tool}`;
    case 'delegate':
      return job.skill;
    case 'asset':
      return job.name;
    case 'memory':
      return job.handle;
    case 'decide':
      return job.at.code.name;
    case 'ask':
      return '';
  }
}

function count(many: number, word: string): string {
  return `${many} ${word}${many === 1 ? '' : 's'}`;
}

/** A time span for a sentence. */
function span(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}
