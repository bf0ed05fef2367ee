import { expect, it } from 'vitest';
import { reportTurn } from './report-turn.ts';
import { createTerminal } from './terminal.ts';

it('says of a turn without an answer that nobody wrote one, or that it is empty', () => {
  const shownOf = (vars: Readonly<Record<string, string>>): string => {
    let shown = '';
    const surroundings = {
      cwd: '.',
      env: { NO_COLOR: '1' },
      stdin: (async function* nothing() {})(),
      stdout: { write: () => true },
      stderr: { write: (text: string) => (shown += text) },
      onInterrupt: () => () => {},
      exitNow: () => {},
    };
    const usage = { generations: 0, calls: 0, inputTokens: 0, outputTokens: 0 };
    const outcome = {
      status: 'completed',
      error: null,
      exitReason: '',
      vars,
      answer: '',
      answeredBy: '',
    } as const;
    const report = {
      turnId: 't',
      outcome: { ...outcome, skipped: [], usage },
      steps: [],
      notices: [],
      durationMs: 1,
    };
    reportTurn(createTerminal(surroundings, { json: false }), report);
    return shown;
  };
  expect(shownOf({})).toContain('no step wrote `answer`, nor any other variable\n');
  expect(shownOf({ gist: 'x' })).toContain('no step wrote `answer`; written: gist (');
  // Such as of a program that returned nothing.
  expect(shownOf({ answer: '' })).toContain('`answer` is empty\n');
});
