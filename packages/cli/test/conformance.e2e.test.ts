import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorkplace, skill, type Workplace } from './cli-process.ts';

let place: Workplace;
beforeEach(async () => {
  place = await openWorkplace();
});
afterEach(() => place.remove());

const RIGHT = {
  id: 'right',
  title: 'a',
  op: 'contains_word',
  input: { text: 'harbour', word: 'har' },
  expected: { value: true },
};
const WRONG = { id: 'wrong', title: 'b', op: 'validate_name', input: { name: 'a' }, expected: { ok: false } };
const STRANGE = { id: 'strange', title: 'c', op: 'juggle', input: {}, expected: {} };

describe('conformance flow', () => {
  it('prints each failing id with the difference, the counts last, and exits with 1', async () => {
    await place.write({
      'cases/one.json': JSON.stringify([RIGHT, WRONG]),
      'cases/two.json': JSON.stringify([STRANGE]),
    });
    const run = await place.run(['conformance', 'flow', 'cases']);
    expect(run.stdout).toMatch(
      /failed wrong \(validate_name: b\)\n {2}ok\n {4}expected false\n {4}got {6}true\n/,
    );
    expect(run.stdout).toMatch(/failed strange .*\n {2}this version does not know the operation "juggle"/);
    expect(run.stdout).toMatch(/\n1 passed, 2 failed\n$/);
    expect(run.code).toBe(1);
  });

  it('exits with 0 when all pass, in each mode', async () => {
    const loop = {
      for_each: {
        in: 'rows',
        as: 'row',
        collect: 'out',
        steps: [{ name: 'say', instruction: '{{row}}', save_as: 'out' }],
      },
    };
    const request = (instruction: string) => ({
      step: 'say',
      instruction,
      tools: null,
      model: '',
      max_calls: 0,
      max_tool_errors: 0,
      one_of: null,
      sampling: null,
      has_schema: false,
    });
    const row = {
      name: 'say',
      kind: 'instruction',
      outcome: 'ok',
      calls: 0,
      calls_failed: 0,
      has_reason: false,
    };
    const one = {
      id: 'loop',
      title: 'answers in order',
      op: 'execute',
      input: {
        skill: skill([loop]),
        vars: { rows: 'a\nb\nc' },
        script: { runner: { say: [{ text: '1' }, { text: '2' }, { text: '3' }] } },
      },
      expected: {
        vars: { row: 'c', out: '1\n\n2\n\n3' },
        answered_by: '',
        skipped: [],
        steps: [
          row,
          row,
          row,
          { name: 'for_each', kind: 'for_each', outcome: 'ok', calls: 3, calls_failed: 0, has_reason: true },
        ],
        events: [],
        error: null,
        requests: { runner: ['a', 'b', 'c'].map(request), caller: [], delegate: [], assets: [] },
        unordered: false,
      },
    };
    await place.write({ 'cases.json': JSON.stringify([one]) });
    for (const mode of ['on', 'off']) {
      const run = await place.run(['conformance', 'flow', 'cases.json', '--fan-out', mode]);
      expect(run.stdout).toBe('1 passed, 0 failed\n');
      expect(run.code).toBe(0);
    }
  });

  it('with --json prints one document', async () => {
    await place.write({ 'cases.json': JSON.stringify([RIGHT, WRONG]) });
    const run = await place.run(['conformance', 'flow', 'cases.json', '--json']);
    expect(JSON.parse(run.stdout)).toEqual({
      passed: 1,
      failed: 1,
      failures: [
        {
          id: 'wrong',
          op: 'validate_name',
          title: 'b',
          differences: [{ path: 'ok', expected: 'false', actual: 'true' }],
          problem: null,
        },
      ],
    });
    expect(run.code).toBe(1);
  });

  it.each([
    ['not JSON', '[', /INPUT_INVALID: cases\.json is no file of cases: /],
    ['no array', '{}', /it holds no JSON array/],
    ['something else', '[1]', /entry 0 is no object/],
    ['half a case', '[{"id": "a", "op": "cond"}]', /entry 0 lacks one of id, op, input, expected/],
  ])('refuses a file that is %s', async (_what, text, message) => {
    await place.write({ 'cases.json': text });
    const run = await place.run(['conformance', 'flow', 'cases.json']);
    expect(run.stderr).toMatch(message);
    expect(run.code).toBe(2);
  });
});
