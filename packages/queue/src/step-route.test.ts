import type { AssetJob, AssetSource, CallJob, Config, GenerateJob, StepJob } from '@skillyard/contracts';
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
const asset = (ref: string, more: Partial<AssetSource> = {}): StepJob =>
  ({ kind: 'asset', asset: { source: 'mcp', content: '', ref, ...more } }) as AssetJob;
const generate = { kind: 'generate' } as GenerateJob;

describe('queueOf', () => {
  it('sends a generation to the models and a call to the class of its server', () => {
    expect(queueOf(generate, CONFIG)).toBe('model');
    expect(queueOf(call('oven'), CONFIG)).toBe('tool.kitchen');
    expect(queueOf(call('gitlab'), CONFIG)).toBe('tool.gitlab');
    expect(queueOf(call('builtin', 'memory_read'), CONFIG)).toBe('tool.builtin');
  });

  it('sends an asset that is read from a tool server to the class of that server, and no other', () => {
    expect(queueOf(asset('oven:look'), CONFIG)).toBe('tool.kitchen');
    expect(queueOf(asset(' gitlab : read '), CONFIG)).toBe('tool.gitlab');
    for (const source of ['', 'file', 'http', 'git', 'inline'])
      expect(queueOf(asset('oven:look', { source }), CONFIG)).toBeNull();
    expect(queueOf(asset('oven:look', { content: 'here it is' }), CONFIG)).toBeNull();
  });

  it('has no queue for what no worker would take', () => {
    for (const ref of ['nowhere:look', 'constructor:look', 'builtin:memory_read', 'oven', ''])
      expect(queueOf(asset(ref), CONFIG)).toBeNull();
    expect(queueOf(call('nowhere'), CONFIG)).toBeNull();
    expect(queueOf(call('constructor'), CONFIG)).toBeNull();
    for (const kind of ['delegate', 'ask', 'memory']) expect(queueOf({ kind } as StepJob, CONFIG)).toBeNull();
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
    expect(effectOf(asset('oven:ignite'), { oven: 'once' })).toBe('read');
  });
});
