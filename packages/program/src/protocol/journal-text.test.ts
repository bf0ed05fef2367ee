import { describe, expect, it } from 'vitest';
import { journalText } from './journal-text.ts';
import { readResponse } from './read-response.ts';

const skill = { name: 'crew', digest: `sha256:${'0'.repeat(64)}` };
const request = '{"kind":"agent_task","id":"t","payload":{"n":1.0,"s":"\\u003c"}}';

describe('journalText', () => {
  it('hands on requests, results and the input as they are', () => {
    const entries = [
      { requestId: 't', request, result: '9007199254740993' },
      { requestId: 't', request, result: 'null' },
    ];
    const text = journalText({ runId: 'run_1', skill, entries, input: '{"a":1e3}' });
    const response = (sequence: number, result: string) =>
      `{"run_id":"run_1","sequence":${sequence},"request_id":"t","status":"completed","result":${result}}`;
    expect(text).toBe(
      `{"run_id":"run_1","skill":${JSON.stringify(skill)},"entries":[` +
        `{"request":${request},"response":${response(1, '9007199254740993')}},` +
        `{"request":${request},"response":${response(2, 'null')}}],"input":{"a":1e3}}`,
    );
  });

  it('says that there are no entries, and nothing of an input that is not there', () => {
    const text = journalText({ runId: 'run_1', skill, entries: [], input: null });
    expect(JSON.parse(text)).toEqual({ run_id: 'run_1', skill, entries: [] });
  });
});

describe('readResponse', () => {
  const envelope = { run_id: 'run_1', sequence: 0, request_id: 't', status: 'whatever' };

  it('takes any sequence and any status, and keeps the text of the result', () => {
    const text = `${JSON.stringify(envelope).slice(0, -1)}, "result": { "n" : 1.0 } }`;
    const read = { runId: 'run_1', sequence: 0, requestId: 't', status: 'whatever' };
    expect(readResponse(text)).toEqual({ ...read, result: '{"n":1.0}' });
    expect(readResponse(JSON.stringify(envelope))).toEqual({ ...read, result: null });
  });

  it.each<[string, string]>([
    ['{nope', 'unexpected "n" at character 1'],
    ['null', 'response must be an object'],
    [JSON.stringify({ ...envelope, extra: 1 }), 'response has an unknown key "extra"'],
    [JSON.stringify({ ...envelope, sequence: '1' }), 'response sequence must be an integer'],
    [JSON.stringify({ ...envelope, run_id: undefined }), 'response run_id must be a string'],
  ])('refuses %s', (text, why) => {
    expect(() => readResponse(text)).toThrow(`response does not decode: ${why}`);
  });
});
