import type { CallJob, DelegateJob, GenerateJob, JobId, StepResult, TurnId } from '@skillyard/contracts';
import { describe, expect, it } from 'vitest';
import { turnJob } from './turn-job.ts';

const turnId = 't' as TurnId;
const call: CallJob = {
  kind: 'call',
  id: 't.0.c' as JobId,
  turnId,
  path: '0',
  step: 'grind',
  server: 'mill',
  tool: 'grind',
  args: { grain: 'rye' },
  fill: [],
  notes: [],
  origin: 'step',
};
const generation: GenerateJob = {
  kind: 'generate',
  id: 't.1.g' as JobId,
  turnId,
  path: '1',
  step: 'think',
  model: 'small',
  instruction: 'What now?',
  tools: ['mill'],
  toolChoice: 'auto',
  maxCalls: 0,
  maxToolErrors: 0,
  sampling: null,
  responseSchema: null,
  oneOf: null,
  conversation: 'secret place',
  round: 1,
  replies: [{ callId: 'a', tool: 'mill:grind', text: 'flour', failed: false }],
};
const end = { endedAtMs: 2000, attempts: 1 };
const ok = (jobId: JobId, text: string): StepResult => ({ jobId, status: 'ok', text, startedAtMs: 1000 });

describe('what is kept of a job', () => {
  it('is what it was given and what it gave', () => {
    const usage = { inputTokens: 5, outputTokens: 2 };
    const toolRequests = [{ callId: 'b', server: 'mill', tool: 'grind', args: { grain: 'oats' } }];
    const kept = turnJob(
      generation,
      { ...ok(generation.id, 'Grind.'), usage, toolRequests, worker: 'w' },
      end,
      100,
    );
    expect(kept).toMatchObject({
      jobId: 't.1.g',
      kind: 'generate',
      target: 'small',
      status: 'ok',
      output: 'Grind.',
      calls: toolRequests,
      usage,
      worker: 'w',
      startedAtMs: 1000,
      endedAtMs: 2000,
      truncated: false,
    });
    expect(kept.input).toEqual({
      instruction: 'What now?',
      replies: generation.replies,
      round: 1,
      tools: ['mill'],
      toolChoice: 'auto',
      sampling: null,
      responseSchema: null,
      oneOf: null,
    });
  });

  it('leads to the turn that answers a delegation', () => {
    const { turnId: turn, step, notes } = call;
    const base = { turnId: turn, step, notes, id: 't.2.d' as JobId, path: '2' };
    const delegation: DelegateJob = { ...base, kind: 'delegate', skill: 'mill', task: 'grind' };
    expect(turnJob(delegation, ok(delegation.id, 'flour'), end, 100).child).toBe('t_2_d');
    expect(turnJob(call, ok(call.id, 'flour'), end, 100).child).toBeNull();
  });

  it('has texts of the greatest length at most, wherever they are', () => {
    const long = 'x'.repeat(200);
    const job = { ...call, args: { grain: long, more: { of: [long] } } };
    const error = { code: 'TOOL_FAILED', message: long };
    const kept = turnJob(job, { jobId: call.id, status: 'error', text: long, error }, end, 100);
    const short = `${'x'.repeat(100)}…`;
    expect(kept).toMatchObject({
      truncated: true,
      input: { args: { grain: short, more: { of: [short] } } },
      output: short,
      error: { code: 'TOOL_FAILED', message: short },
    });
  });

  it('has a bound as a whole, too: many short texts, names and lists are cut off somewhere', () => {
    const rows = Array.from({ length: 10_000 }, (_, at) => ({ [`name${at}`]: 'v', none: null }));
    const kept = turnJob({ ...call, args: { rows } }, ok(call.id, ''), end, 1000);
    expect(kept.truncated).toBe(true);
    expect(JSON.stringify(kept.input).length).toBeLessThan(12_000);
  });
});
