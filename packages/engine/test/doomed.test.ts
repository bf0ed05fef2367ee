import { describe, expect, it } from 'vitest';
import { Drive } from './drive.ts';

const BROKEN = { status: 'error', error: { code: 'TOOL_FAILED', message: 'broken' } } as const;
/** Two branches; the first one fails while the second is under way. */
const fork = (more = ''): string =>
  `{parallel: {branches: [[{name: left, call: {tool: "srv:x"}}], [{name: right, call: {tool: "srv:x"}}]]}${more}}`;
const failingIn = (steps: string): Drive => {
  const run = new Drive(`tools: [srv]\nsteps: ${steps}`, { vars: { rows: '1\n2' } });
  run.answer(BROKEN, 'left');
  return run;
};

describe('a turn in which a branch failed', () => {
  it('is doomed while the other branches run, when nothing around tolerates it', () => {
    const run = failingIn(`[${fork()}]`);
    expect(run.turn.header.doomed).toBe(true);
    run.answer({ text: 'ok' });
    expect(run.outcome).toMatchObject({ status: 'failed', error: { code: 'TOOL_FAILED' } });
  });

  it('is doomed from the depth of two forks', () => {
    const run = failingIn(`[{parallel: {branches: [[${fork()}], [{call: {tool: "srv:x"}}]]}}]`);
    expect(run.turn.header.doomed).toBe(true);
  });

  it.each([
    ['the fork itself', `[${fork(', on_error: continue')}]`],
    [
      'a fork around it',
      `[{parallel: {branches: [[${fork()}], [{call: {tool: "srv:x"}}]]}, on_error: continue}]`,
    ],
    [
      'a loop around it that is walked in order',
      `[{for_each: {in: rows, as: row, on_error: continue, steps: [${fork()}, {set: {var: a, value: "{{a}}{{row}}"}}]}}]`,
    ],
  ])('is not doomed when it is tolerated by %s', (_by, steps) => {
    const run = failingIn(steps);
    expect(run.turn.header.doomed).toBeUndefined();
    while (run.outcome === undefined) run.answer({ text: 'ok' });
    expect(run.outcome.status).toBe('completed');
  });

  it('is not doomed by an exit: it will not have failed', () => {
    const run = new Drive(
      `tools: [srv]\nsteps: [{parallel: {branches: [[{name: left, call: {tool: "srv:x"}}, {exit: {reason: done}}], [{call: {tool: "srv:x"}}]]}}]`,
    );
    run.answer({ text: 'ok' }, 'left');
    expect(run.turn.header.doomed).toBeUndefined();
    run.answer({ text: 'ok' });
    expect(run.outcome?.status).toBe('exited');
  });
});
