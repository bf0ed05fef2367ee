import { describe, expect, it } from 'vitest';
import type { CallStep } from './transcript.ts';
import { CALL_CORRECTIONS, type CallContext } from './transcript-corrections.ts';
import { type Ran, sdkCorrection } from './sdk-corrections.ts';

const journal = { run_id: 'run_1_00', skill: { name: 'a', digest: `sha256:${'0'.repeat(64)}` }, entries: [] };
const asks = (sequence: number, runId = journal.run_id) => ({
  type: 'request',
  envelope: { protocol: 'yield.v1', run_id: runId, skill: journal.skill, sequence, request: { id: 'a' } },
});
const reply = (stdout: unknown) => ({ exit_code: 0, stdout, stderr: '' });
const swallowed: Ran = {
  source: 'try {} catch {}',
  journal,
  recorded: reply(asks(2)),
  actual: reply(asks(1)),
};
const differs = [{ path: 'stdout.envelope.sequence', expected: '2', actual: '1' }];

describe('a correction of the SDK', () => {
  it('is the first operation without an answer, asked in its own place, where a program catches', () => {
    expect(sdkCorrection(differs, swallowed)).toBe(
      'an output that is decided stays, whatever the program catches',
    );
    expect(sdkCorrection(differs, { ...swallowed, source: 'return 1' })).toBeNull();
    expect(sdkCorrection(differs, { ...swallowed, actual: reply(asks(3)) })).toBeNull();
    expect(sdkCorrection(differs, { ...swallowed, actual: reply(asks(1, 'run_2_00')) })).toBeNull();
    expect(
      sdkCorrection([...differs, { path: 'exit_code', expected: '0', actual: '1' }], swallowed),
    ).toBeNull();
  });

  it('names what a recorded message names', () => {
    const told = (stderr: string): Ran => ({
      source: '',
      journal: null,
      recorded: {
        exit_code: 2,
        stdout: '',
        stderr: 'yield: supervisor version 0.1.9 does not match 0.2.0\n',
      },
      actual: { exit_code: 2, stdout: '', stderr },
    });
    const stderr = [{ path: 'stderr', expected: '', actual: '' }];
    expect(sdkCorrection(stderr, told('of version 0.2.0, not 0.1.9'))).not.toBeNull();
    expect(sdkCorrection(stderr, told('of version 0.2.0'))).toBeNull();
  });
});

describe('a correction of the supervisor', () => {
  const memory = () => ({
    frontier: { exit_code: 0, stdout: '{"a": "<"}\n', stderr: '' },
    answer: '{"value":"x"}',
    answers: 1,
    rejections: 0,
    edits: [],
  });
  const context: CallContext = {
    verb: 'resume',
    raw: null,
    rawOutput: 'as recorded',
    answer: '{"value":"x"}',
    status: 'completed',
    requestId: 'a',
    memory: memory(),
    foreignAdapters: [],
    inspected: null,
  };
  const call: CallStep = { scenario: 's', argv: ['yskill'], cwd: '', exit_code: 1, stdout: '', stderr: '' };
  const why = (one: Partial<CallStep>, more: Partial<CallContext> = {}) =>
    CALL_CORRECTIONS.filter(
      ({ of }) => of({ ...call, ...one }, { ...context, memory: memory(), ...more }) !== null,
    ).map((correction) => correction.why);
  const other =
    'yskill: rejected (duplicate-response): sequence 1 already completed with DIFFERENT content; no\n';
  const different = 'yskill: replay reached a different pending operation than recorded\n';

  it.each<
    [reason: string, one: Partial<CallStep>, more: Partial<CallContext>, otherwise: Partial<CallContext>]
  >([
    ['only an operation that was completed is taken for one', { exit_code: 0 }, { status: 'failed' }, {}],
    ['an answer is the same however it is written', { stderr: other }, {}, { answer: '{"value":"y"}' }],
    [
      'a request is recorded as it was printed, so a replay finds it again',
      { stderr: different },
      { verb: 'replay' },
      { verb: 'run' },
    ],
    [
      'an output has its keys and its digests exactly as the protocol writes them',
      { exit_code: 0 },
      { verb: 'run', raw: '{"TYPE":"terminal"}' },
      { verb: 'run', raw: '{"type":"terminal","terminal":{"status":"completed"}}' },
    ],
    [
      'the last line of a log may be torn: what is whole is the log',
      { stderr: 'yskill: corrupt run log at line 2: unexpected end of JSON input\n' },
      { verb: 'inspect', inspected: '1\n2\n' },
      { verb: 'inspect', inspected: '1\n2\n3\n' },
    ],
  ])('is there for its case alone: %s', (reason, one, more, otherwise) => {
    expect(why(one, more)).toEqual([reason]);
    expect(why(one, otherwise)).toEqual([]);
    // What was recorded of the quirk is a part of its case.
    expect(why({ ...one, exit_code: 3 }, more)).toEqual([]);
  });
});
