import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from './model-server.ts';

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

const post = (path: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });
const chat = (content = 'hi', more: object = {}): Promise<Response> =>
  post('/chat/completions', { model: 'm', messages: [{ role: 'user', content }], ...more });

describe('the model server', () => {
  it('echoes without a script, and records what it was asked', async () => {
    expect(await (await chat('rye?')).json()).toMatchObject({
      choices: [{ message: { content: 'rye?' }, finish_reason: 'stop' }],
    });
    expect(server.requests).toMatchObject([{ protocol: 'chat', prompt: 'rye?', body: { model: 'm' } }]);
  });

  it('makes a value that fits the schema it is given', async () => {
    const schema = {
      type: 'object',
      properties: {
        grain: { enum: ['rye', 'oat'] },
        rows: { type: 'array', items: { type: 'integer', minimum: 3 } },
        ok: { type: 'boolean' },
        note: {},
      },
      required: ['grain', 'rows', 'ok'],
    };
    const answer = (await (await chat('x', { response_format: { json_schema: { schema } } })).json()) as {
      choices: [{ message: { content: string } }];
    };
    expect(JSON.parse(answer.choices[0].message.content)).toEqual({ grain: 'rye', rows: [3], ok: true });
  });

  it('takes its answers in order; the last repeats', async () => {
    server.answer({ text: 'one' }, { calls: [{ name: 't', args: { a: 1 } }] });
    await chat();
    for (let again = 0; again < 2; again++) {
      expect(await (await chat()).json()).toMatchObject({
        choices: [
          {
            message: { tool_calls: [{ function: { name: 't', arguments: '{"a":1}' } }] },
            finish_reason: 'tool_calls',
          },
        ],
      });
    }
  });

  it('speaks three protocols', async () => {
    server.answer({ text: 'rye', truncated: true, usage: { inputTokens: 1, outputTokens: 2 } });
    expect(
      await (
        await post('/responses', { input: [{ role: 'user', content: [{ type: 'input_text', text: 'q' }] }] })
      ).json(),
    ).toMatchObject({
      status: 'incomplete',
      output: [{ content: [{ text: 'rye' }] }],
      usage: { input_tokens: 1 },
    });
    expect(
      await (await post('/messages', { messages: [{ role: 'user', content: 'q' }] })).json(),
    ).toMatchObject({ content: [{ text: 'rye' }], stop_reason: 'max_tokens' });
    expect(server.requests.map((request) => request.prompt)).toEqual(['q', 'q']);
  });

  it('fails in every way it is told to', async () => {
    server.answer(
      { failure: 'rate-limited', retryAfter: '9' },
      { failure: 'error' },
      { failure: 'html' },
      { failure: 'cut-off' },
      { failure: 'unauthorized' },
      { failure: 'hang-up' },
    );
    const limited = await chat();
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '9']);
    expect((await chat()).status).toBe(500);
    expect(await (await chat()).text()).toContain('<!DOCTYPE html>');
    await expect((await chat()).json()).rejects.toThrow(SyntaxError);
    expect((await chat()).status).toBe(401);
    await expect(chat()).rejects.toThrow(/fetch failed/);
  });

  it('refuses a request without its key', async () => {
    await server.close();
    server = await startModelServer({ key: 'k' });
    expect((await chat()).status).toBe(401);
    expect((await post('/messages', { messages: [] }, { 'x-api-key': 'k' })).status).toBe(200);
  });
});
