import type { CallJob, Config, GenerateJob, StepJob } from '@skillyard/contracts';
import { describe, expect, it } from 'vitest';
import { effectOf, queueOf } from './step-route.ts';

const CONFIG: Config = {
  servers: {
    pantry: { url: 'http://pantry', class: 'kitchen' },
    oven: { url: 'http://oven', class: 'kitchen' },
    gitlab: { url: 'http://gitlab' },
  },
};
const call = (server: string, tool = 'do'): StepJob => ({ kind: 'call', server, tool }) as CallJob;
const generate = { kind: 'generate' } as GenerateJob;

describe('queueOf', () => {
  it('sends a generation to the models and a call to the class of its server', () => {
    expect(queueOf(generate, CONFIG)).toBe('model');
    expect(queueOf(call('oven'), CONFIG)).toBe('tool.kitchen');
    expect(queueOf(call('gitlab'), CONFIG)).toBe('tool.gitlab');
    expect(queueOf(call('builtin', 'memory_read'), CONFIG)).toBe('tool.builtin');
  });

  it('has no queue for what no worker would take', () => {
    expect(queueOf(call('nowhere'), CONFIG)).toBeNull();
    expect(queueOf(call('constructor'), CONFIG)).toBeNull();
    for (const kind of ['delegate', 'ask', 'asset', 'memory'])
      expect(queueOf({ kind } as StepJob, CONFIG)).toBeNull();
  });
});

describe('effectOf', () => {
  it('is `once` for a call unless the tool or its server is declared otherwise', () => {
    const effects = { oven: 'read', 'oven:ignite': 'once', 'pantry:list': 'idempotent' } as const;
    expect(effectOf(call('oven', 'look'), effects)).toBe('read');
    expect(effectOf(call('oven', 'ignite'), effects)).toBe('once');
    expect(effectOf(call('pantry', 'list'), effects)).toBe('idempotent');
    expect(effectOf(call('pantry', 'take'), effects)).toBe('once');
    expect(effectOf(call('constructor'), effects)).toBe('once');
  });

  it('lets everything else be run again', () => {
    expect(effectOf(generate, {})).toBe('idempotent');
  });
});
