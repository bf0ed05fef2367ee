import { describe, expect, it } from 'vitest';
import { expireTurn, turnDeadlineMs } from '../src/index.ts';
import { Drive } from './drive.ts';

const limited = (limits: string, steps: string, tools = '[srv]'): Drive =>
  new Drive(`tools: ${tools}\nlimits: ${limits}\nsteps:\n${steps}`, { version: '2.5.0' });

describe('limits of a turn (format 2.5.0)', () => {
  it('ends the turn with LIMIT_EXCEEDED when a step asks for one generation too many, and returns what was produced', () => {
    const run = limited(
      '{generations: 1}',
      '  - {instruction: one, save_as: a}\n  - {name: two, instruction: two, on_error: continue}',
    );
    run.answer({ text: 'A' });
    expect(run.outcome).toMatchObject({ status: 'failed', error: { code: 'LIMIT_EXCEEDED' } });
    expect(run.outcome?.error?.message).toContain('1 generations');
    expect(run.outcome?.vars).toEqual({ a: 'A' });
    expect(run.rows).toEqual(['instruction:ok', 'two:error']);
  });

  it('counts the tokens of all steps', () => {
    const run = limited('{tokens: 10}', '  - {instruction: one, save_as: a}\n  - {instruction: two}');
    run.answer({ text: 'A', usage: { inputTokens: 8, outputTokens: 4 } });
    expect(run.outcome?.error?.message).toContain('10 tokens');
  });

  it('is not tolerated by a loop that tolerates failures', () => {
    const loop = '  - for_each: {in: rows, as: row, on_error: continue, steps: [{call: {tool: "srv:x"}}]}';
    const run = limited('{calls: 2}', `  - {set: {var: rows, value: "1\\n2\\n3"}}\n${loop}`);
    while (run.outcome === undefined) run.answer({ text: 'ok' });
    expect(run.outcome).toMatchObject({
      status: 'failed',
      error: { code: 'LIMIT_EXCEEDED' },
      usage: { calls: 2 },
    });
  });

  it('has a deadline in seconds, which drops work that is under way', () => {
    const run = limited('{seconds: 3}', '  - {name: slow, instruction: one}');
    expect(turnDeadlineMs(run.turn)).toBe(run.nowMs + 3000);
    const advance = expireTurn(run.turn, run.nowMs + 3000);
    expect(advance.dropped).toEqual(['t.0.g0.0']);
    expect(advance.outcome).toMatchObject({ status: 'failed', error: { code: 'LIMIT_EXCEEDED' } });
    expect(advance.events).toContainEqual(
      expect.objectContaining({ name: 'slow', outcome: 'error', durationMs: 3000 }),
    );
  });
});

describe('a step timeout (format 2.5.0)', () => {
  it('bounds the whole step: a later round gets what is left', () => {
    const run = new Drive('tools: [srv]\nsteps: [{instruction: one, timeout: 2s}]', { version: '2.5.0' });
    expect(run.generation.timeoutMs).toBe(2000);
    run.answer({ toolRequests: [{ callId: 'k', server: 'srv', tool: 'x', args: {} }] });
    run.nowMs += 1500;
    run.answer({ text: 'late' });
    expect(run.generation.timeoutMs).toBe(500);
  });

  it('fails the step when nothing is left', () => {
    const run = new Drive('tools: [srv]\nsteps: [{name: s, instruction: one, timeout: 2s}]', {
      version: '2.5.0',
    });
    run.answer({ toolRequests: [{ callId: 'k', server: 'srv', tool: 'x', args: {} }] });
    run.nowMs += 2500;
    run.answer({ text: 'late' });
    expect(run.outcome?.error?.code).toBe('STEP_TIMEOUT');
  });
});

describe('the bound on texts', () => {
  const doubling = '{set: {var: text, value: "{{text}}{{text}}"}}';

  it('fails the step with VALUE_TOO_LARGE before a doubling loop takes the process down', () => {
    const rows = '1\\n'.repeat(60);
    const loop = `  - {name: grow, for_each: {in: rows, as: row, max_iterations: 60, steps: [${doubling}]}}`;
    const run = new Drive(`vars: {text: "0123456789", rows: "${rows}"}\nsteps:\n${loop}`);
    expect(run.outcome).toMatchObject({ status: 'failed', error: { code: 'VALUE_TOO_LARGE' } });
    expect(run.rows.at(-1)).toBe('grow:error');
  });

  it.each(['continue', 'abort'])(
    'fails a loop whose gathered texts are too much together, under on_error: %s',
    (policy) => {
      const big = 'x'.repeat(1024 * 1024);
      const body = '{set: {var: out, value: "{{big}}"}}';
      const each = `  - {name: each, for_each: {in: rows, as: row, collect: out, max_iterations: 99, on_error: ${policy}, steps: [${body}]}}`;
      const run = new Drive(
        `vars: {rows: "${'1\\n'.repeat(20)}"}\nsteps:\n${each}\n  - {name: z, set: {var: z, value: "1"}}`,
        {
          vars: { big },
        },
      );
      expect(run.row('each').outcome).toBe('error');
      expect(run.outcome?.status).toBe(policy === 'abort' ? 'failed' : 'completed');
      expect(run.outcome?.vars.z).toBe(policy === 'abort' ? undefined : '1');
    },
  );
});
