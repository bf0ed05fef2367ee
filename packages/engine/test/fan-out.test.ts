import { describe, expect, it } from 'vitest';
import { Drive } from './drive.ts';

const rows = (count: number) => ({
  rows: JSON.stringify(Array.from({ length: count }, (_, index) => index)),
});

function loop(body: string, head = 'on_error: continue', extra = {}): Drive {
  const workflow = `tools: [srv]\nsteps:\n  - name: each\n    for_each: {in: rows, as: row, collect: out, ${head}, steps: [${body}]}`;
  return new Drive(workflow, { vars: rows(5), ...extra });
}

const CALL = '{call: {tool: "srv:get", args: {row: "{{row}}"}, save_as: out}}';

describe('loops that fan out', () => {
  it('starts a window of iterations, in order, and the next one when one has ended', () => {
    const run = loop(CALL, 'on_error: continue', { settings: { window: 2 } });
    expect(run.open.map((job) => job.path)).toEqual(['0.i0.0', '0.i1.0']);
    run.open.reverse();
    run.answer({ text: 'one' });
    expect(run.open.map((job) => job.path)).toEqual(['0.i0.0', '0.i2.0']);
  });

  it('merges in order, whatever order the iterations ended in', () => {
    const run = loop(CALL);
    while (run.outcome === undefined) {
      run.open.reverse();
      run.answer({ text: `<${run.open[0]?.path ?? ''}>` });
    }
    expect(run.outcome.vars.out).toBe('<0.i0.0>\n\n<0.i1.0>\n\n<0.i2.0>\n\n<0.i3.0>\n\n<0.i4.0>');
    expect(run.row('each').loop).toEqual({ concurrency: 64, reason: 'the iterations are independent' });
  });

  it.each([
    [
      'one iteration may read what another wrote',
      '{set: {var: seen, value: "{{seen}}{{row}}"}}, ' + CALL,
      'on_error: continue',
      '"seen"',
    ],
    [
      'a variable is written only sometimes',
      '{when: row == 1, set: {var: hit, value: x}}, {set: {var: out, value: "{{hit}}"}}, ' + CALL,
      'on_error: continue',
      '"hit"',
    ],
    ['the body may exit', CALL + ', {when: row == 9, exit: {}}', 'on_error: continue', 'exit'],
    ['under abort an effect would come early', CALL, 'on_error: abort', '"srv:get"'],
    ['under abort a model may reach a tool', '{instruction: go, save_as: out}', 'on_error: abort', '"srv"'],
    [
      'nothing is asked of the outside',
      '{set: {var: out, value: "{{row}}"}}',
      'on_error: continue',
      'nothing outside',
    ],
  ])('stays in order where %s, and says so', (_, body, head, reason) => {
    const run = loop(body, head);
    run.answerAllIfOpen();
    expect(run.row('each').loop).toMatchObject({ concurrency: 1 });
    expect(run.row('each').loop?.reason).toContain(reason);
  });

  it('fans out under abort when everything in the body may be repeated', () => {
    const run = loop(CALL, 'on_error: abort', { settings: { effects: { srv: 'read' } } });
    expect(run.open).toHaveLength(5);
  });

  it('cuts the loop at the first failure in order, voids what ran early, and ends as the sequential run does', () => {
    const run = loop(CALL, 'on_error: abort', { settings: { effects: { 'srv:get': 'read' } } });
    run.answer({ text: 'four' }, undefined);
    const last = run.open.at(-1);
    run.open.splice(run.open.length - 1, 1);
    run.open.unshift(last as NonNullable<typeof last>);
    run.answer({ text: 'ran early' });
    run.answer({ status: 'error', error: { code: 'TOOL_FAILED', message: 'rope broke' } });
    expect(run.outcome).toMatchObject({ status: 'failed', vars: { row: '1', out: '' } });
    expect(run.outcome?.error?.message).toBe('step "each": item 2: step "unnamed": rope broke');
    expect(run.dropped).toEqual(['t.0.i2.0.c', 't.0.i3.0.c']);
    expect(run.rows).toEqual(['call:ok', 'call:error', 'each:error']);
  });

  it('waits for earlier iterations before it believes a failure', () => {
    const run = loop(CALL, 'on_error: abort', { settings: { effects: { srv: 'idempotent' } } });
    run.open.reverse();
    run.answer({ status: 'error', error: { code: 'TOOL_FAILED', message: 'late one' } });
    expect(run.outcome).toBeUndefined();
    run.open.reverse();
    run.answer({ status: 'error', error: { code: 'TOOL_FAILED', message: 'first one' } });
    expect(run.outcome?.error?.message).toContain('item 1: step "unnamed": first one');
  });

  it('takes the concurrency that the skill declares', () => {
    const workflow = `tools: [srv]\nsteps:\n  - for_each: {in: rows, as: row, concurrency: 3, steps: [${CALL}]}`;
    const run = new Drive(workflow, { vars: rows(9), version: '2.5.0' });
    expect(run.open).toHaveLength(3);
  });
});

describe('cancelling', () => {
  it('drops what is queued or runs and leaves a row for every step that was under way, innermost first', () => {
    const run = loop(CALL);
    run.nowMs += 40;
    run.cancel('enough');
    expect(run.dropped).toHaveLength(5);
    expect(run.outcome).toMatchObject({
      status: 'cancelled',
      error: { code: 'TURN_CANCELLED', message: 'enough' },
    });
    expect(run.rows.at(-1)).toBe('each:error');
    expect(run.rows).toHaveLength(6);
    expect(run.row('each')).toMatchObject({ reason: 'enough', durationMs: 40 });
    expect(run.turn.save().map((record) => record.key)).toEqual(['turn']);
  });
});
