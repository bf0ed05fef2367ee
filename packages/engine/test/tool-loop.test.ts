import { describe, expect, it } from 'vitest';
import { Drive } from './drive.ts';

const request = (callId: string, tool = 'get') => ({ callId, server: 'srv', tool, args: { id: callId } });

function drive(extra = ''): Drive {
  return new Drive(`tools: [srv]\nsteps:\n  - {name: look, instruction: "Look."${extra}}`);
}

describe('the tool loop of a model step', () => {
  it('asks for every call of a round at once and goes on when all are back, in the order of the model', () => {
    const run = drive();
    run.answer({ toolRequests: [request('k1'), request('k2')], usage: { inputTokens: 5, outputTokens: 1 } });
    expect(run.open.map((job) => [job.kind, job.id])).toEqual([
      ['call', 't.0.g0.0.c0'],
      ['call', 't.0.g0.0.c1'],
    ]);
    const [, second] = run.open;
    run.open.reverse();
    run.answer({ text: 'two' });
    expect(run.open).toHaveLength(1);
    expect(second?.id).toBe('t.0.g0.0.c1');
    run.answer({ text: 'one' });
    expect(run.generation).toMatchObject({
      round: 1,
      conversation: '0.g0',
      instruction: '',
      toolChoice: 'auto',
      replies: [
        { callId: 'k1', tool: 'srv:get', text: 'one', failed: false },
        { callId: 'k2', tool: 'srv:get', text: 'two', failed: false },
      ],
    });
    run.answer({ text: 'done', usage: { inputTokens: 9, outputTokens: 2 } });
    expect(run.outcome).toMatchObject({
      status: 'completed',
      answer: 'done',
      usage: { generations: 2, calls: 2, inputTokens: 14, outputTokens: 3 },
    });
    expect(run.row('look')).toMatchObject({
      outcome: 'ok',
      calls: 2,
      callsFailed: 0,
      usage: { inputTokens: 14 },
    });
  });

  it('tells the model that a call failed, and lets it go on', () => {
    const run = drive();
    run.answer({ toolRequests: [request('k1')] });
    run.answer({ status: 'error', error: { code: 'TOOL_FAILED', message: 'no such row' } });
    expect(run.generation.replies).toEqual([
      { callId: 'k1', tool: 'srv:get', text: 'ERROR: no such row', failed: true },
    ]);
    run.answer({ text: 'there is none' });
    expect(run.row('look')).toMatchObject({ outcome: 'degraded', calls: 1, callsFailed: 1 });
  });

  it('makes max_calls calls and no more, asks for the answer without tools, and is degraded with the reason', () => {
    const run = drive(', max_calls: 2');
    run.answer({ toolRequests: [request('k1'), request('k2'), request('k3')] });
    expect(run.open).toHaveLength(2);
    run.answer({ text: 'a' });
    run.answer({ text: 'b' });
    expect(run.generation.toolChoice).toBe('none');
    expect(run.generation.replies[2]).toMatchObject({ callId: 'k3', failed: true });
    run.answer({ text: 'as far as I got' });
    expect(run.outcome?.answer).toBe('as far as I got');
    expect(run.row('look')).toMatchObject({ outcome: 'degraded', calls: 2 });
    expect(run.row('look').reason).toContain('max_calls (2)');
  });

  it('is plainly ok when the model stops by itself at max_calls', () => {
    const run = drive(', max_calls: 1');
    run.answer({ toolRequests: [request('k1')] });
    run.answer({ text: 'a' });
    expect(run.generation.toolChoice).toBe('auto');
    run.answer({ text: 'enough' });
    expect(run.row('look').outcome).toBe('ok');
  });

  it('forgives max_tool_errors misses, which do not eat the budget of useful calls', () => {
    const run = drive(', max_calls: 1, max_tool_errors: 1');
    const miss = {
      status: 'error',
      miss: true,
      error: { code: 'TOOL_ARGUMENTS_INVALID', message: 'id is missing' },
    } as const;
    run.answer({ toolRequests: [request('k1')] });
    run.answer(miss);
    expect(run.generation.toolChoice).toBe('auto');
    run.answer({ toolRequests: [request('k2')] });
    run.answer({ text: 'found' });
    run.answer({ text: 'done' });
    expect(run.row('look')).toMatchObject({ outcome: 'ok', calls: 2, callsFailed: 1 });
  });

  it('stops after more misses than are forgiven', () => {
    const run = drive(', max_tool_errors: 1');
    for (const callId of ['k1', 'k2']) {
      run.answer({ toolRequests: [{ ...request(callId), refused: 'the step may not reach "vault"' }] });
    }
    expect(run.generation.toolChoice).toBe('none');
    run.answer({ text: 'sorry' });
    expect(run.row('look')).toMatchObject({ outcome: 'degraded', calls: 2, callsFailed: 2 });
    expect(run.row('look').reason).toContain('max_tool_errors 1');
  });

  it('never repeats a call whose worker died: the step fails as lost and drops what still runs', () => {
    const run = drive(', on_error: continue, save_as: note');
    run.answer({ toolRequests: [request('k1'), request('k2')] });
    run.answer({ status: 'lost' });
    expect(run.dropped).toEqual(['t.0.g0.0.c1']);
    expect(run.outcome?.status).toBe('completed');
    expect(run.outcome?.vars.note).toContain('lost');
  });

  it('starts a new conversation for a retry', () => {
    const run = drive(', on_empty: retry');
    run.answer({ toolRequests: [request('k1')] });
    run.answer({ text: 'a' });
    run.answer({ text: ' ' });
    expect(run.generation).toMatchObject({
      conversation: '0.g1',
      round: 0,
      instruction: 'Look.',
      replies: [],
    });
    run.answer({ text: 'better' });
    expect(run.row('look')).toMatchObject({ outcome: 'ok', calls: 1 });
  });
});
