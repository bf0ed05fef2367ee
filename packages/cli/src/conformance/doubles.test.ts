import type { CallJob, GenerateJob, JobId, MemoryJob, StepJob, TurnId } from '@skillyard/contracts';
import { describe, expect, it } from 'vitest';
import { AnswerOrder } from './answer-order.ts';
import { Doubles } from './doubles.ts';
import type { CaseScript } from './script.ts';

const base = (path: string) => ({ id: `t.${path}` as JobId, turnId: 't' as TurnId, path, step: 'say' });
const generate = (path = '0'): GenerateJob => ({
  ...base(path),
  kind: 'generate',
  model: '',
  instruction: 'go',
  tools: null,
  toolChoice: 'auto',
  maxCalls: 0,
  maxToolErrors: 0,
  sampling: null,
  responseSchema: null,
  oneOf: null,
  conversation: 'c',
  round: 0,
  replies: [],
});
const call = (more: Partial<CallJob> = {}): CallJob => ({
  ...base('1'),
  kind: 'call',
  server: 'depot',
  tool: 'wash',
  args: {},
  fill: [],
  notes: [],
  origin: 'step',
  ...more,
});
const memory = (handle: string, at = ''): MemoryJob => ({
  ...base('2'),
  kind: 'memory',
  handle,
  at,
  notes: [],
});

const answer = (script: CaseScript, job: StepJob) => new Doubles(script, new AnswerOrder()).execute(job);

describe('a double that is not configured', () => {
  it('fails its work without recording a request', () => {
    const doubles = new Doubles({}, new AnswerOrder());
    expect(doubles.execute(generate())).toMatchObject({
      status: 'error',
      error: { code: 'EXECUTOR_MISSING' },
    });
    expect(doubles.execute(call())).toMatchObject({ status: 'error', sent: false });
    expect(doubles.log.read()).toEqual({ runner: [], caller: [], delegate: [], assets: [] });
  });
});

describe('a configured double', () => {
  it('fails for a name the script does not have, and records the request', () => {
    const doubles = new Doubles({ caller: {} }, new AnswerOrder());
    expect(doubles.execute(call({ tool: 'constructor' }))).toMatchObject({ status: 'error' });
    expect(doubles.log.read().caller).toEqual([{ server: 'depot', tool: 'constructor', args: {} }]);
  });

  it('passes on what an answer says', () => {
    const entry = { text: 'cut', calls: 2, calls_failed: 1, note: 'n', truncated: true };
    expect(answer({ runner: { say: [entry] } }, generate())).toEqual({
      jobId: 't.0',
      status: 'truncated',
      text: 'cut',
      calls: 2,
      callsFailed: 1,
      note: 'n',
    });
    expect(answer({ runner: { say: [{ denied: true, error: 'keepers' }] } }, generate())).toMatchObject({
      status: 'denied',
      error: { message: 'keepers' },
    });
    expect(answer({ runner: { say: [{ error: 'burnt', result_error: true }] } }, generate())).toMatchObject({
      status: 'error',
      error: { message: 'burnt' },
    });
  });

  it('puts whole values into the arguments it records', () => {
    const doubles = new Doubles(
      { caller: { 'depot:wash': [{ text: 'ok' }] }, memory: { h: 'whole' } },
      new AnswerOrder(),
    );
    const parts = [
      { text: '<' },
      { handle: 'h', otherwise: 'part' },
      { handle: 'gone', otherwise: '!' },
      { text: '>' },
    ];
    doubles.execute(call({ args: { list: ['', 7] }, fill: [{ at: ['list', 0], parts }] }));
    expect(doubles.log.read().caller).toEqual([
      { server: 'depot', tool: 'wash', args: { list: ['<whole!>', 7] } },
    ]);
  });

  it('reads memory whole and by path, and tells a missing handle from a missing path', () => {
    const script = { memory: { h: '{"a":[1,2]}' } };
    expect(answer(script, memory('h'))).toMatchObject({ status: 'ok', text: '{"a":[1,2]}' });
    expect(answer(script, memory('h', '.a[1]'))).toMatchObject({ status: 'ok', text: '2' });
    expect(answer(script, memory('h', '.a[9]'))).toMatchObject({
      status: 'error',
      error: { code: 'REFERENCE_UNRESOLVED' },
    });
    expect(answer(script, memory('gone'))).toMatchObject({ status: 'empty' });
  });
});

describe('the log', () => {
  it('is read in the order of a sequential run, without discarded jobs', () => {
    const doubles = new Doubles({ runner: { say: [{ text: 'x' }] } }, new AnswerOrder());
    for (const path of ['0.i1', '0.i0', '0.i2']) doubles.execute({ ...generate(path), instruction: path });
    const read = doubles.log.read(['0.i0', '0.i1'], (job) => job === '0.i2');
    expect(read.runner).toMatchObject([{ instruction: '0.i0' }, { instruction: '0.i1' }]);
  });
});
