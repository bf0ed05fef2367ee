import { turnId } from '@skillyard/contracts';
import { describe, expect, it } from 'vitest';
import { samplingOf } from './sampling.ts';
import { traceIdOf } from './span-id.ts';

const traces = Array.from({ length: 2000 }, (_, index) => traceIdOf(turnId(`turn-${index}`)));

describe('which traces are recorded', () => {
  it('is all of them, unless the standard variables say otherwise', () => {
    expect(traces.every(samplingOf({}))).toBe(true);
    expect(traces.some(samplingOf({ OTEL_TRACES_SAMPLER: 'always_off' }))).toBe(false);
    expect(traces.some(samplingOf({ OTEL_TRACES_SAMPLER: 'parentbased_always_off' }))).toBe(false);
  });

  it('is about the given part of them, the same in every process', () => {
    const env = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' };
    const recorded = traces.filter(samplingOf(env));
    expect(recorded.length).toBeGreaterThan(400);
    expect(recorded.length).toBeLessThan(600);
    expect(traces.filter(samplingOf(env))).toEqual(recorded);
  });
});
