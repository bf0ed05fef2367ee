import type { Meter } from '@opentelemetry/api';
import type { TurnProgress } from './turn-spans.ts';
import type { TracedTurn } from './traced-turn.ts';

/** Buckets for what may take milliseconds or days, in seconds. */
const SECONDS = [0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 1800, 7200, 86_400];

/**
 * What turns and steps come to. Attributes are kinds and outcomes only: anything that grows with the number of turns,
 * tenants or skills would grow without a bound here.
 */
export class TurnMetrics {
  readonly #turns;
  readonly #turnDuration;
  readonly #steps;
  readonly #stepDuration;

  constructor(meter: Meter) {
    const advice = { explicitBucketBoundaries: SECONDS };
    this.#turns = meter.createCounter('skillyard.turns', { description: 'Turns that ended, by status.' });
    this.#turnDuration = meter.createHistogram('skillyard.turn.duration', {
      description: 'From the start of a turn to its end.',
      unit: 's',
      advice,
    });
    this.#steps = meter.createCounter('skillyard.steps', {
      description: 'Steps that ended, by kind and outcome.',
    });
    this.#stepDuration = meter.createHistogram('skillyard.step.duration', {
      description: 'From the start of a step to its end, without those that were skipped.',
      unit: 's',
      advice,
    });
  }

  committed(turn: TracedTurn, { events, outcome }: TurnProgress): void {
    for (const event of events) {
      if (event.type === 'step.finished') {
        const { kind, outcome: result, durationMs } = event;
        this.#steps.add(1, { kind, outcome: result });
        if (result !== 'skipped') this.#stepDuration.record(durationMs / 1000, { kind });
      } else if (event.type === 'turn.finished' && outcome !== null) {
        const { status } = outcome;
        this.#turns.add(1, { status });
        this.#turnDuration.record(Math.max(0, event.atMs - turn.startedAtMs) / 1000, { status });
      }
    }
  }
}
