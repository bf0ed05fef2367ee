import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { textDigest } from '../protocol/digest.ts';
import { MAX_DEPTH } from '../protocol/json-text.ts';
import { type RunFiles, runFiles } from './run-files.ts';
import { readLog, RunLog } from './run-log.ts';
import { RunState } from './run-state.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'run-log-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function logOf(runId: string, ...data: readonly string[]): RunFiles {
  const files = runFiles(folder, runId);
  const log = RunLog.create(files);
  for (const text of data) log.append('note', text);
  log.close();
  return files;
}

it('loses nothing but the line that was being written, wherever the power went', () => {
  const files = logOf('cut', '{"n":1}', '{"text":"ä€😀 \\ud83d"}');
  const whole = readFileSync(files.log);
  const first = whole.indexOf('\n') + 1;
  for (let length = first; length <= whole.length; length += 1) {
    writeFileSync(files.log, whole.subarray(0, length));
    const { log, content } = RunLog.open(files);
    log.append('note', '{"n":3}');
    log.close();
    // Only its end may be missing from a line that counts.
    expect(content.records).toHaveLength(length >= whole.length - 1 ? 2 : 1);
    expect(readLog(files).records.map(({ seq }) => seq)).toEqual(
      [1, 2, 3].slice(0, content.records.length + 1),
    );
  }
});

it('reads whatever deep value it was given, and refuses bytes that nobody wrote', () => {
  const deep = `{"result":${'['.repeat(MAX_DEPTH)}${']'.repeat(MAX_DEPTH)}}`;
  const files = logOf('deep', deep, '{"text":"whole"}');
  expect(readLog(files).records[0]?.data).toBe(deep);
  const bytes = readFileSync(files.log);
  bytes[bytes.indexOf('whole')] = 0xff;
  writeFileSync(files.log, bytes);
  expect(() => readLog(files)).toThrow('corrupt run log at line 2: it is no UTF-8');
  // Not even a line that was ended by nobody.
  truncateSync(files.log, bytes.length - 1);
  expect(readLog(files)).toMatchObject({ ending: 'torn', records: [{ seq: 1 }] });
});

it('takes the digest of a result as it was recorded: others take it over white space, too', () => {
  const skill = { name: 'a', digest: textDigest('') };
  const record = (seq: number, type: string, data: object) => ({
    seq,
    type,
    at: '2026-12-01T00:00:00Z',
    data: JSON.stringify(data),
  });
  const resultDigest = textDigest('{ "value": "yes" }');
  const state = RunState.fold([
    record(1, 'run.started', { input_digest: textDigest(''), run_id: 'a', skill }),
    record(2, 'operation.completed', {
      request_id: 'a',
      result: { value: 'yes' },
      result_digest: resultDigest,
      sequence: 1,
    }),
  ]);
  expect(state.lastAnswered).toMatchObject({ result: '{"value":"yes"}', resultDigest });
});
