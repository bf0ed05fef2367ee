/**
 * Many turns at once through the API, with listeners at their event streams.
 */
import type { TraceEvent, TurnId } from '@skillyard/contracts';
import type { QueueConnection } from '@skillyard/queue';
import { quantile } from '../bench/queue/intervals.ts';
import { judge, type Stored } from './judge.ts';
import { type Followed, follow, type Submitted } from './listener.ts';
import { type LoadOptions, type PlannedTurn, planTurns, skillText } from './load-plan.ts';
import type { System } from './system.ts';

/** Requests to submit that wait for their answer at once. */
export const SUBMITTERS = 32;

export interface LoadReport {
  readonly turns: number;
  /** The most turns that had been submitted and had not ended. */
  readonly mostAtOnce: number;
  readonly events: number;
  readonly submitSeconds: number;
  readonly seconds: number;
  /** Milliseconds. */
  readonly submit: Quantiles;
  readonly delay: Quantiles;
  /** Events whose delay was measured. */
  readonly measured: number;
  readonly violations: readonly string[];
}

export interface Quantiles {
  readonly p50: number;
  readonly p99: number;
}

/**
 * @throws whatever a request or a stream ends with: a turn that nobody could follow is no report
 */
export async function runLoad(system: System, options: LoadOptions): Promise<LoadReport> {
  const submitMs: number[] = [];
  const delaysMs: number[] = [];
  const followed: Followed[] = [];
  const waiting = new Handover<Submitted>();
  let open = 0;
  let mostAtOnce = 0;
  const submit = async (plan: PlannedTurn): Promise<void> => {
    const startedAtMs = performance.now();
    const { turnId } = await system.client(plan.tenant, plan.orchestrator).submitTurn({
      body: {
        skill: { text: skillText(plan.kind), file: `${plan.kind}.yaml` },
        input: plan.input,
        vars: { list: 'one\ntwo\nthree' },
        labels: { kind: plan.kind },
      },
    });
    submitMs.push(performance.now() - startedAtMs);
    mostAtOnce = Math.max(mostAtOnce, ++open);
    waiting.put({ turnId, plan });
  };
  const listen = async (): Promise<void> => {
    for (let next = await waiting.take(); next !== null; next = await waiting.take()) {
      // Of the other orchestrator: an event has to come from wherever it happened.
      const client = system.client(next.plan.tenant, 1 - next.plan.orchestrator);
      followed.push(await follow(client, next, (ms) => delaysMs.push(ms)));
      open--;
    }
  };
  const startedAtMs = performance.now();
  const listeners = Promise.all(Array.from({ length: options.listeners }, listen));
  const plans = planTurns(options).values();
  // The submitters share one iterator: each takes the next turn when its own is accepted.
  const submitAll = async (): Promise<void> => {
    for (const plan of plans) await submit(plan);
  };
  const submitters = Promise.all(Array.from({ length: SUBMITTERS }, submitAll)).finally(() => waiting.end());
  await Promise.race([submitters, listeners.then(() => submitters)]);
  const submitSeconds = (performance.now() - startedAtMs) / 1000;
  await listeners;
  const seconds = (performance.now() - startedAtMs) / 1000;
  const violations: string[] = [];
  for (const one of followed) violations.push(...judge(one, await readTrace(system.connection, one.turnId)));
  if (followed.length !== options.turns)
    violations.push(`${followed.length} of ${options.turns} turns were followed`);
  return {
    turns: followed.length,
    mostAtOnce,
    events: followed.reduce((sum, { received }) => sum + received.length, 0),
    submitSeconds,
    seconds,
    submit: quantilesOf(submitMs),
    delay: quantilesOf(delaysMs),
    measured: delaysMs.length,
    violations,
  };
}

/** The events up to the end of the turn; notices may come after it. */
async function readTrace({ redis, keys }: QueueConnection, turnId: TurnId): Promise<Stored[]> {
  const entries = await redis.xrange(keys.turn(turnId).trace, '-', '+');
  const events = entries.map(([id, fields]) => ({ id, event: JSON.parse(fields[1] ?? '{}') as TraceEvent }));
  const end = events.findIndex(({ event }) => event.type === 'turn.finished');
  return end === -1 ? events : events.slice(0, end + 1);
}

function quantilesOf(values: readonly number[]): Quantiles {
  return { p50: quantile(values, 0.5), p99: quantile(values, 0.99) };
}

/**
 * Hands turns from those who submit to those who listen. The latest goes first: most of it has not happened yet, and can
 * be followed as it happens.
 */
class Handover<T> {
  readonly #items: T[] = [];
  readonly #takers: ((item: T | null) => void)[] = [];
  #over = false;

  put(item: T): void {
    const taker = this.#takers.shift();
    if (taker === undefined) this.#items.push(item);
    else taker(item);
  }

  /** @returns null when there are no more */
  take(): Promise<T | null> {
    const item = this.#items.pop();
    if (item !== undefined) return Promise.resolve(item);
    if (this.#over) return Promise.resolve(null);
    return new Promise((resolve) => {
      this.#takers.push(resolve);
    });
  }

  end(): void {
    this.#over = true;
    for (const taker of this.#takers.splice(0)) taker(null);
  }
}
