import { ERRORS, SkillyardError, type TurnOutcome, TurnStatus } from '@skillyard/contracts';
import { describe, expect, it } from 'vitest';
import type { Surroundings } from '../surroundings.ts';
import { exitCodeOfError, exitCodeOfTurn } from './exit-code.ts';
import { formatDuration } from './format-duration.ts';
import { createProgress } from './progress.ts';
import { printError } from './render-error.ts';
import { reportTurn } from './report-turn.ts';
import { stepLabel } from './step-label.ts';
import { createTerminal, oneLine } from './terminal.ts';

/** Surroundings that keep what was written. */
function recorded(options: { tty?: boolean; env?: Record<string, string> } = {}) {
  const written = { out: '', err: '' };
  const stream = (key: 'out' | 'err') => ({
    isTTY: options.tty === true,
    columns: 80,
    write: (text: string) => {
      written[key] += text;
    },
  });
  const surroundings: Surroundings = {
    cwd: '/',
    env: options.env ?? {},
    stdin: (async function* () {})(),
    stdout: stream('out'),
    stderr: stream('err'),
    onInterrupt: () => () => undefined,
    exitNow: () => undefined,
  };
  return { surroundings, written };
}

const finished = {
  type: 'step.finished',
  path: '0',
  name: 'greet',
  kind: 'instruction',
  branch: false,
  outcome: 'ok',
  reason: '',
  calls: 0,
  callsFailed: 0,
  startedAtMs: 0,
  durationMs: 1234,
} as const;
const started = {
  type: 'step.started',
  path: '0',
  name: 'greet',
  kind: 'instruction',
  branch: false,
  atMs: 0,
} as const;

describe('colours and live lines', () => {
  it('are for people at a terminal', () => {
    const { surroundings } = recorded({ tty: true });
    expect(createTerminal(surroundings, { json: false })).toMatchObject({ live: true });
    expect(createTerminal(surroundings, { json: false }).colors.red('x')).not.toBe('x');
  });

  it.each([
    ['a pipe', { tty: false }],
    ['a dumb terminal', { tty: true, env: { TERM: 'dumb' } }],
  ])('are off on %s', (_what, options) => {
    const terminal = createTerminal(recorded(options).surroundings, { json: false });
    expect(terminal.live).toBe(false);
    expect(terminal.colors.red('x')).toBe('x');
  });

  it('honours NO_COLOR on a terminal', () => {
    const terminal = createTerminal(recorded({ tty: true, env: { NO_COLOR: '1' } }).surroundings, {
      json: false,
    });
    expect(terminal.colors.red('x')).toBe('x');
    expect(terminal.live).toBe(true);
  });
});

describe('progress', () => {
  it('is a plain line per start and end on a pipe', () => {
    const { surroundings, written } = recorded();
    const progress = createProgress(createTerminal(surroundings, { json: false }));
    progress.event(started);
    progress.event(finished, ['outer']);
    progress.end();
    expect(written.err).toBe('started instruction greet\nok           1.2 s  instruction outer › greet\n');
    expect(written.out).toBe('');
  });

  it('replaces the line of a running step on a terminal, and leaves nothing provisional', () => {
    const { surroundings, written } = recorded({ tty: true, env: { NO_COLOR: '1' } });
    const progress = createProgress(createTerminal(surroundings, { json: false }));
    progress.event(started);
    expect(written.err).toMatch(/instruction greet \d+ ms\n$/);
    progress.event(finished);
    progress.end();
    expect(written.err.endsWith('\u001b[1A\u001b[Jok           1.2 s  instruction greet\n')).toBe(true);
  });

  it('is silent with --json', () => {
    const { surroundings, written } = recorded({ tty: true });
    const progress = createProgress(createTerminal(surroundings, { json: true }));
    progress.event(started);
    progress.event(finished);
    progress.end();
    expect(written).toEqual({ out: '', err: '' });
  });
});

describe('the report of a turn', () => {
  const usage = { generations: 0, calls: 0, inputTokens: 0, outputTokens: 0 };
  const outcome = {
    status: 'completed' as const,
    vars: {},
    answer: 'a',
    answeredBy: '' as const,
    skipped: ['x', 'y', 'x'],
    error: null,
    exitReason: null,
    usage,
  };

  it('of a long loop shows what is outside it and what went wrong in it', () => {
    const { surroundings, written } = recorded();
    const steps = Array.from({ length: 300 }, (_, index) => ({
      ...finished,
      path: `0.i${index}.0`,
      name: 'each',
      outcome: index === 7 ? ('error' as const) : ('ok' as const),
    }));
    const loop = { ...finished, kind: 'for_each' as const, name: 'loop' };
    const report = { turnId: 't', outcome, steps: [...steps, loop], notices: [], durationMs: 5 };
    expect(reportTurn(createTerminal(surroundings, { json: false }), report)).toBe(0);
    expect(written.err).toMatch(
      /\n {2}each \[8\] +instruction +error[^\n]*\nloop +for_each +ok[^\n]*\nand 299 more rows, see --json\n/,
    );
    expect(written.err).toContain('skipped: x (2 times), y\n');
  });

  it('of a program says what it claimed and why it stopped, with an exit code of its own', () => {
    const requirements = [
      { claim: 'the build passes', passed: true },
      { claim: 'nobody\nobjects', passed: false },
    ];
    const stopped = {
      ...outcome,
      status: 'requirement_failed',
      exitReason: 'two object',
      requirements,
    } as const;
    const report = { turnId: 't', outcome: stopped, steps: [], notices: [], durationMs: 5 };
    const { surroundings, written } = recorded();
    expect(reportTurn(createTerminal(surroundings, { json: false }), report)).toBe(8);
    expect(written.err).toContain(
      'requirement passed: the build passes\nrequirement failed: nobody objects\n',
    );
    expect(written.err).toMatch(/requirement failed: two object\n$/);
    const piped = recorded();
    reportTurn(createTerminal(piped.surroundings, { json: true }), report);
    expect(JSON.parse(piped.written.out)).toMatchObject({ exitReason: 'two object', requirements });
  });
});

describe('texts of unknown origin', () => {
  it('cannot move the cursor or break a line', () => {
    expect(oneLine('a\u001b[2Jb\r\nc\u202ed')).toBe('a [2Jb c d');
  });

  it('reach a pipe as they are and a screen without controls', () => {
    for (const [tty, shown] of [
      [false, 'a\u001b[2J\nb\n'],
      [true, 'a [2J\nb\n'],
    ] as const) {
      const { surroundings, written } = recorded({ tty });
      createTerminal(surroundings, { json: false }).answer('a\u001b[2J\nb');
      expect(written.out).toBe(shown);
    }
  });
});

describe('errors', () => {
  const cause = new Error('socket closed');
  const error = new SkillyardError('REDIS_UNAVAILABLE', 'Redis is away', {
    details: { hint: 'start it' },
    cause,
  });

  it('say code, message and hint, and nothing of our code', () => {
    const { surroundings, written } = recorded();
    printError(createTerminal(surroundings, { json: false }), error, { verbose: false });
    expect(written.err).toBe('error REDIS_UNAVAILABLE: Redis is away\n  start it\n');
  });

  it('show stacks and causes with --verbose', () => {
    const { surroundings, written } = recorded();
    printError(createTerminal(surroundings, { json: false }), error, { verbose: true });
    expect(written.err).toMatch(/terminal\.test\.ts[\s\S]*caused by Error: socket closed/);
  });

  it('are a document with --json, and still seen by a person', () => {
    const { surroundings, written } = recorded();
    printError(createTerminal(surroundings, { json: true }), error, { verbose: false });
    expect(JSON.parse(written.out)).toEqual({
      error: { code: 'REDIS_UNAVAILABLE', message: 'Redis is away', details: { hint: 'start it' } },
    });
    expect(written.err).toContain('REDIS_UNAVAILABLE');
  });

  it('that are bugs say so', () => {
    const { surroundings, written } = recorded();
    printError(createTerminal(surroundings, { json: false }), new TypeError('x is undefined'), {
      verbose: false,
    });
    expect(written.err).toMatch(/^error INTERNAL: x is undefined\n.*--verbose/);
  });
});

describe('exit codes', () => {
  const turn = (status: TurnOutcome['status'], code?: string) =>
    exitCodeOfTurn({ status, error: code === undefined ? null : { code, message: '' } });

  it('tell how a turn ended', () => {
    expect(TurnStatus.enum.map((status) => turn(status))).toEqual([0, 3, 5, 1, 130, 6, 7, 8]);
    expect(turn('failed', 'SERVER_UNAVAILABLE')).toBe(4);
    expect(turn('failed', 'SOMETHING_NEW')).toBe(1);
    expect(turn('failed', 'constructor')).toBe(1);
  });

  it('are those of the catalogue for an error', () => {
    expect(exitCodeOfError(new SkillyardError('SKILL_INVALID', ''))).toBe(ERRORS.SKILL_INVALID.exit);
    expect(exitCodeOfError(new SkillyardError('TURN_CANCELLED', ''))).toBe(130);
    expect(exitCodeOfError(new Error('bug'))).toBe(1);
  });
});

describe('labels and durations', () => {
  it('show nesting and iterations, counted from 1', () => {
    expect(stepLabel({ path: '3', name: 'each' })).toBe('each');
    expect(stepLabel({ path: '3.i41.0', name: 'say' })).toBe('  say [42]');
    expect(stepLabel({ path: '3.i1.0.b1.i0.2', name: 'deep' })).toBe('    deep [2][1]');
  });

  it.each([
    [0, '0 ms'],
    [999, '999 ms'],
    [1250, '1.3 s'],
    [59_960, '1 m 00 s'],
    [185_000, '3 m 05 s'],
    [7_440_000, '2 h 04 m'],
  ])('%d ms is %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});
