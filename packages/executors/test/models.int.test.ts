import {
  type Config,
  type GenerateJob,
  type ModelConfig,
  SkillyardError,
  type StepResult,
} from '@skillyard/contracts';
import { freePort, type ModelServer, startModelServer, toolServerCommand, until } from '@skillyard/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Executors } from '../src/index.ts';
import { executorsFor, failureText, generateJob, run } from './jobs.ts';

const KEY = 'sk-very-secret-key-1';

let server: ModelServer;
let executors: Executors;

beforeAll(async () => {
  server = await startModelServer({ key: KEY });
});
afterAll(() => server.close());
afterEach(() => executors.close());

type Provider = Exclude<ModelConfig['provider'], 'scripted'>;

function withModel(
  extra: Partial<ModelConfig> = {},
  config: Config = {},
  provider: Provider = 'openai-compatible',
): Executors {
  server.answerBy([]);
  const model = {
    provider,
    model: 'double',
    base_url: server.url,
    api_key_env: 'MODEL_KEY',
    ...extra,
  } as ModelConfig;
  executors = executorsFor({ models: { main: model }, ...config }, { env: { MODEL_KEY: KEY } });
  return executors;
}

const ask = (job: Partial<GenerateJob> = {}): Promise<StepResult> => run(executors, generateJob(job));
const lastBody = (): Readonly<Record<string, unknown>> => server.requests.at(-1)?.body ?? {};

describe.each<Provider>(['openai-compatible', 'openai', 'anthropic'])(
  'a generation through %s',
  (provider) => {
    it('gives the text and the tokens', async () => {
      withModel({}, {}, provider);
      server.answer({ text: 'Rye bread.', usage: { inputTokens: 40, outputTokens: 5 } });
      const result = await ask({ instruction: 'What is it?' });
      expect(result).toMatchObject({
        status: 'ok',
        text: 'Rye bread.',
        usage: { inputTokens: 40, outputTokens: 5 },
      });
      expect(server.requests.at(-1)?.prompt).toBe('What is it?');
      expect(result.toolRequests).toBeUndefined();
    });

    it('is told what stands before the conversation, apart from what it is asked', async () => {
      withModel({}, {}, provider);
      server.answer({ text: 'Yes.' });
      await ask({ system: 'Be brief.', instruction: 'Is it rye?' });
      expect(server.requests.at(-1)?.prompt).toBe('Is it rye?');
      expect(JSON.stringify(lastBody())).toContain('Be brief.');
    });

    it('asks for tools of the radius, then answers with their replies in the conversation', async () => {
      withModel({}, { servers: { shop: toolServerCommand() } }, provider);
      server.answerBy((_request, count) =>
        count === 0
          ? { text: 'Let me look.', calls: [{ name: 'shop__echo', args: { text: 'rye' } }] }
          : { text: 'It is rye.' },
      );
      const conversation = '7.g0';
      const first = await ask({ tools: ['shop'], conversation, instruction: 'Look it up.' });
      expect(first.toolRequests).toEqual([
        {
          callId: 'call_' + server.requests.length + '_0',
          server: 'shop',
          tool: 'echo',
          args: { text: 'rye' },
        },
      ]);
      const callId = first.toolRequests?.[0]?.callId ?? '';
      const second = await ask({
        tools: ['shop'],
        conversation,
        instruction: '',
        round: 1,
        replies: [{ callId, tool: 'shop:echo', text: 'rye it is', failed: false }],
      });
      expect(second).toMatchObject({ status: 'ok', text: 'It is rye.' });
      const sent = JSON.stringify(lastBody());
      for (const part of ['Look it up.', 'Let me look.', 'rye it is', callId]) expect(sent).toContain(part);
    });

    it('says that the answer was cut off', async () => {
      withModel({ max_output_tokens: 50 }, {}, provider);
      server.answer({ text: 'It began', truncated: true });
      expect(await ask()).toMatchObject({ status: 'truncated', text: 'It began' });
      expect(JSON.stringify(lastBody())).toMatch(/"max_(output_)?tokens":50/);
    });

    it('enforces the response_schema at the endpoint and gives the JSON', async () => {
      withModel({ structured_output: true }, {}, provider);
      server.answerBy((request) => {
        // Without native support Anthropic is asked through a tool named json.
        const json = JSON.stringify({ grain: 'rye' });
        const tools = JSON.stringify(request.body['tools'] ?? []);
        return tools.includes('"json"')
          ? { calls: [{ name: 'json', args: { grain: 'rye' } }] }
          : { text: json };
      });
      const responseSchema = {
        type: 'object',
        properties: { grain: { type: 'string' } },
        required: ['grain'],
        additionalProperties: false,
      };
      const result = await ask({ responseSchema });
      expect(result).toMatchObject({ status: 'ok' });
      expect(JSON.parse(result.text)).toEqual({ grain: 'rye' });
      expect(JSON.stringify(lastBody())).toContain('"grain"');
    });

    it('has its key refused: MODEL_REFUSED names the variable and not the key', async () => {
      withModel({}, {}, provider);
      await executors.close();
      executors = executorsFor(
        { models: { main: { provider, model: 'double', base_url: server.url, api_key_env: 'MODEL_KEY' } } },
        { env: { MODEL_KEY: 'sk-wrong-key-000' } },
      );
      const text = failureText(await ask());
      expect(text).toMatch(
        /^error MODEL_REFUSED: The model "main" \(http:\/\/127.*HTTP 401.*Incorrect API key.*MODEL_KEY/,
      );
      expect(text).not.toContain('sk-wrong-key-000');
    });
  },
);

describe('a model endpoint that misbehaves', () => {
  it('is asked too often: MODEL_UNAVAILABLE with the time to wait', async () => {
    withModel();
    server.answer({ failure: 'rate-limited', retryAfter: '7' });
    const result = await ask();
    expect(failureText(result)).toMatch(
      /^error MODEL_UNAVAILABLE: .*HTTP 429, and asks to wait 7 s.*Rate limit reached/,
    );
    expect(result.error?.retryAfterMs).toBe(7000);
  });

  it('answers 500, once and not three times', async () => {
    withModel();
    server.answer({ failure: 'error' });
    const before = server.requests.length;
    expect(failureText(await ask())).toMatch(
      /^error MODEL_UNAVAILABLE: The model "main" \(http.*HTTP 500: The server had an error/,
    );
    expect(server.requests.length - before).toBe(1);
  });

  it('answers with a web page', async () => {
    withModel();
    server.answer({ failure: 'html' });
    expect(failureText(await ask())).toMatch(
      /^error MODEL_UNAVAILABLE: .*a web page \("502 Bad Gateway"\).*models\.main\.base_url/,
    );
  });

  it('answers with JSON that is cut off', async () => {
    withModel();
    server.answer({ failure: 'cut-off' });
    expect(failureText(await ask())).toMatch(/^error MODEL_UNAVAILABLE: .*an answer that was cut off/);
  });

  it('answers 200 with an error, or with JSON of another kind', async () => {
    withModel();
    server.answer({ failure: 'status', status: 200, message: 'upstream is down' });
    expect(failureText(await ask())).toMatch(
      /^error MODEL_UNAVAILABLE: .*an error instead of an answer: upstream is down/,
    );
    withModel({}, {}, 'anthropic');
    server.answer({ failure: 'status', status: 200, message: 'x' });
    expect(failureText(await ask())).toMatch(
      /^error MODEL_UNAVAILABLE: .*models\.main\.provider and base_url/,
    );
  });

  it('hangs up', async () => {
    withModel();
    server.answer({ failure: 'hang-up' });
    expect(failureText(await ask())).toMatch(/^error MODEL_UNAVAILABLE: .*cannot be reached at http/);
  });

  it('is not there', async () => {
    const port = await freePort();
    withModel({ base_url: `http://127.0.0.1:${port}/v1` });
    expect(failureText(await ask())).toMatch(
      new RegExp(
        `^error MODEL_UNAVAILABLE: .*cannot be reached at http://127.0.0.1:${port}/v1: .*ECONNREFUSED`,
      ),
    );
  });

  it('refuses the request', async () => {
    withModel();
    server.answer({ failure: 'status', status: 400, message: 'this model takes no images' });
    expect(failureText(await ask())).toMatch(
      /^error MODEL_REFUSED: .*HTTP 400\): this model takes no images/,
    );
  });

  it('is not found at the address', async () => {
    withModel({ base_url: server.url.replace('/v1', '/v2') });
    expect(failureText(await ask())).toMatch(
      /^error MODEL_REFUSED: .*HTTP 404.*models\.main\.model and base_url/,
    );
  });

  it('never answers: MODEL_TIMEOUT after the time of the configuration', async () => {
    withModel({ timeout: '150ms' });
    server.answer({ failure: 'never' });
    expect(failureText(await ask())).toMatch(
      /^error MODEL_TIMEOUT: The model "main" did not answer within 150 ms\..*models\.main\.timeout/,
    );
  });

  it("never answers: STEP_TIMEOUT when it is the step's own time", async () => {
    withModel();
    server.answer({ failure: 'never' });
    expect(failureText(await ask({ timeoutMs: 100 }))).toMatch(/^error STEP_TIMEOUT: /);
  });

  it('is not waited for when the turn is cancelled', async () => {
    withModel();
    server.answer({ failure: 'never' });
    const controller = new AbortController();
    const before = server.requests.length;
    const running = run(executors, generateJob(), controller.signal);
    await until(() => server.requests.length > before);
    controller.abort(new SkillyardError('TURN_CANCELLED', 'cancelled by its owner'));
    expect(failureText(await running)).toBe('error TURN_CANCELLED: cancelled by its owner');
  });

  it('gives nothing', async () => {
    withModel();
    server.answer({ text: '  \n' });
    expect(await ask()).toMatchObject({ status: 'empty', text: '' });
  });
});

describe('the choice of a model', () => {
  it('fails with MODEL_UNKNOWN and the names there are', async () => {
    withModel();
    expect(failureText(await ask({ model: 'mian' }))).toMatch(
      /^error MODEL_UNKNOWN: There is no model "mian" in the configuration\..*Did you mean main\? The models are: main\./,
    );
  });

  it('fails with MODEL_UNKNOWN when no model is named and there is no default', async () => {
    const models = { a: { provider: 'openai', model: 'x' }, b: { provider: 'openai', model: 'y' } } as const;
    executors = executorsFor({ models });
    expect(failureText(await ask())).toMatch(/^error MODEL_UNKNOWN: .*no default_model.*a, b/);
    executors = executorsFor({});
    expect(failureText(await ask())).toMatch(/^error MODEL_UNKNOWN: No model is configured/);
  });

  it('takes the default model', async () => {
    withModel({}, { default_model: 'main' });
    expect(await ask({ instruction: 'echo me' })).toMatchObject({ text: 'echo me' });
  });

  it.each<Provider>(['openai', 'anthropic'])(
    'fails with MODEL_KEY_MISSING when the key of %s is not set',
    async (provider) => {
      executors = executorsFor({ models: { main: { provider, model: 'x' } as ModelConfig } });
      expect(failureText(await ask())).toMatch(
        /^error MODEL_KEY_MISSING: The environment variable (OPENAI|ANTHROPIC)_API_KEY is not set; it should hold the key of the model "main"/,
      );
      executors = executorsFor(
        { models: { main: { provider, model: 'x', api_key_env: 'MINE' } as ModelConfig } },
        { env: { MINE: ' ' } },
      );
      expect(failureText(await ask())).toMatch(/^error MODEL_KEY_MISSING: The environment variable MINE/);
    },
  );
});

describe('the form of an answer', () => {
  const responseSchema = { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] };

  it('is refused when the model is not marked structured_output', async () => {
    withModel();
    const before = server.requests.length;
    expect(failureText(await ask({ responseSchema, step: 'judge' }))).toMatch(
      /^error MODEL_NOT_STRUCTURED: The step "judge" has a response_schema, and the model "main" is not marked structured_output: true/,
    );
    expect(server.requests.length).toBe(before);
  });

  it('is checked: MODEL_ANSWER_INVALID says what does not fit', async () => {
    withModel({ structured_output: true });
    server.answer({ text: '{"count": "three"}' });
    const wrong = await ask({ responseSchema, step: 'judge' });
    expect(failureText(wrong)).toMatch(
      /^error MODEL_ANSWER_INVALID: .*"main".*step "judge": "count" must be an integer, not "three"/,
    );
    expect(wrong.usage).toEqual({ inputTokens: 11, outputTokens: 7 });
    server.answer({ text: 'three' });
    expect(failureText(await ask({ responseSchema }))).toMatch(
      /^error MODEL_ANSWER_INVALID: .*it is not JSON/,
    );
    server.answer({ text: '{"count": 1', truncated: true });
    expect(failureText(await ask({ responseSchema }))).toMatch(
      /^error MODEL_ANSWER_INVALID: .*cut off by its token limit.*sampling\.max_tokens/,
    );
  });

  it('is the sample that the endpoint makes of the schema', async () => {
    withModel({ structured_output: true });
    expect(await ask({ responseSchema })).toMatchObject({ status: 'ok', text: '{"count":1}' });
    expect(lastBody()['response_format']).toMatchObject({
      type: 'json_schema',
      json_schema: { strict: false, schema: responseSchema },
    });
  });

  it('fails with SKILL_INVALID when the schema itself is broken', async () => {
    withModel({ structured_output: true });
    expect(failureText(await ask({ responseSchema: { type: 'thing' } }))).toMatch(
      /^error SKILL_INVALID: The response_schema/,
    );
  });

  it('is told, not enforced, where enforcing would forbid the calls', async () => {
    withModel({ structured_output: true }, { servers: { shop: toolServerCommand() } });
    server.answer({ text: '```json\n{"count": 2}\n```' });
    expect(await ask({ responseSchema, tools: ['shop'] })).toMatchObject({
      status: 'ok',
      text: '{"count": 2}',
    });
    expect(lastBody()['response_format']).toBeUndefined();
    expect(JSON.stringify(lastBody()['messages'])).toContain('JSON Schema');
  });

  it('is the bare value of one_of, held to the values where the endpoint can', async () => {
    withModel({ structured_output: true });
    server.answer({ text: '{"answer": "keep"}' });
    expect(await ask({ oneOf: ['keep', 'drop'] })).toMatchObject({ status: 'ok', text: 'keep' });
    expect(server.requests.at(-1)?.schema).toMatchObject({
      properties: { answer: { enum: ['keep', 'drop'] } },
    });
    server.answer({ text: 'I would keep it.' });
    expect(await ask({ oneOf: ['keep', 'drop'] })).toMatchObject({ text: 'I would keep it.' });
    withModel();
    server.answer({ text: 'drop' });
    expect(await ask({ oneOf: ['keep', 'drop'] })).toMatchObject({ text: 'drop' });
    expect(server.requests.at(-1)?.schema).toBeUndefined();
  });
});

describe('the calls a model asks for', () => {
  const withShop = () => withModel({}, { servers: { shop: toolServerCommand() } });

  it('are refused when there is no such tool, and when the arguments are no object', async () => {
    withShop();
    server.answer({
      calls: [
        { name: 'shop__ehco', args: {} },
        { name: 'bank__pay', args: { amount: 3 } },
        { name: 'shop__echo', args: '{"text": "cut' },
        { name: 'shop__echo', args: [1, 2] },
        { name: 'shop__echo', args: '' },
      ],
    });
    const { toolRequests } = await ask({ tools: ['shop'] });
    expect(toolRequests?.map(({ server: name, tool, refused }) => [name, tool, refused ?? ''])).toEqual([
      ['', 'shop__ehco', expect.stringMatching(/no tool "shop__ehco".*Did you mean shop__echo/)],
      ['', 'bank__pay', expect.stringMatching(/no tool "bank__pay"/)],
      ['shop', 'echo', expect.stringMatching(/not complete JSON/)],
      ['shop', 'echo', expect.stringMatching(/no JSON object/)],
      ['shop', 'echo', ''],
    ]);
  });

  it('are refused when the step has no tools at all', async () => {
    withModel();
    server.answer({ calls: [{ name: 'shop__echo', args: {} }], text: 'I called.' });
    const result = await ask({ tools: [] });
    expect(result).toMatchObject({ status: 'ok', text: 'I called.' });
    expect(result.toolRequests).toBeUndefined();
  });

  it('are not offered in the final round, which asks for an answer', async () => {
    withShop();
    server.answer({ calls: [{ name: 'shop__echo', args: { text: 'a' } }] }, { text: 'Done.' });
    const conversation = '9.g0';
    const first = await ask({ tools: ['shop'], conversation });
    const callId = first.toolRequests?.[0]?.callId ?? '';
    const final = await ask({
      tools: ['shop'],
      conversation,
      round: 1,
      toolChoice: 'none',
      replies: [{ callId, tool: 'shop:echo', text: 'a', failed: false }],
    });
    expect(final).toMatchObject({ status: 'ok', text: 'Done.' });
    expect(lastBody()['tool_choice']).toBe('none');
    expect(server.requests.at(-1)?.prompt).toMatch(/final answer now/);
  });

  it('give the same conversation when a round is generated again', async () => {
    withShop();
    server.answer({ calls: [{ name: 'shop__echo', args: { text: 'a' } }] });
    const conversation = '11.g0';
    await ask({ tools: ['shop'], conversation });
    const first = await ask({ tools: ['shop'], conversation });
    const replies = [
      { callId: first.toolRequests?.[0]?.callId ?? '', tool: 'shop:echo', text: 'a', failed: false },
    ];
    await ask({ tools: ['shop'], conversation, round: 1, replies });
    expect(lastBody()['messages']).toHaveLength(3);
  });

  it('fail with a clear error when the conversation has gone', async () => {
    withShop();
    expect(
      failureText(await ask({ tools: ['shop'], round: 2, conversation: 'nowhere', step: 'find' })),
    ).toMatch(/^error MEMORY_UNKNOWN: The conversation of the step "find" has gone/);
  });

  it('may read working memory when a text refers to it', async () => {
    withShop();
    await ask({ tools: ['shop'], instruction: 'plain' });
    expect(JSON.stringify(lastBody()['tools'])).not.toContain('memory_read');
    await ask({ tools: ['shop'], instruction: 'Rows:\nabc…\n[mem:m-1 — 9 kB]' });
    expect(JSON.stringify(lastBody()['tools'])).toContain('builtin__memory_read');
  });

  it('are one tool of a server where the radius names one', async () => {
    withShop();
    await ask({ tools: ['shop:echo', 'builtin:memory_read'], instruction: 'plain' });
    const names = (lastBody()['tools'] as { function: { name: string } }[]).map((tool) => tool.function.name);
    expect(names).toEqual(['shop__echo', 'builtin__memory_read']);
  });

  it('are all there or none: one that its server does not have fails the step with TOOL_UNKNOWN', async () => {
    withShop();
    expect(failureText(await ask({ tools: ['shop', 'builtin:memory_raed'] }))).toMatch(
      /^error TOOL_UNKNOWN: The tool server "builtin" has no tool "memory_raed".* memory_read/,
    );
  });

  it('cannot be described when their server does not start', async () => {
    withModel({}, { servers: { shop: { command: 'no-such-program-here' } } });
    expect(failureText(await ask({ tools: ['shop'] }))).toMatch(
      /^error SERVER_UNAVAILABLE: The tool server "shop" does not start/,
    );
    expect(failureText(await ask({ tools: ['shpo'] }))).toMatch(/^error SERVER_UNKNOWN: /);
  });
});

describe('the sampling of a step', () => {
  const sampling = {
    temperature: 0.2,
    top_p: 0.9,
    top_k: 40,
    min_p: 0.1,
    repetition_penalty: 1.1,
    max_tokens: 99,
    reasoning: 'low',
  };

  it('is passed on whole to an openai-compatible endpoint', async () => {
    withModel();
    expect((await ask({ sampling })).note).toBeUndefined();
    expect(lastBody()).toMatchObject({
      temperature: 0.2,
      top_p: 0.9,
      top_k: 40,
      min_p: 0.1,
      repetition_penalty: 1.1,
      max_tokens: 99,
      reasoning_effort: 'low',
    });
  });

  it('is passed on to others as far as they know it, and the rest is named', async () => {
    withModel({}, {}, 'anthropic');
    const result = await ask({ sampling });
    expect(lastBody()).toMatchObject({ top_k: 40, max_tokens: 99 });
    expect(result.note).toMatch(
      /sampling\.min_p means nothing to the provider anthropic.*sampling\.repetition_penalty/,
    );
    withModel({}, {}, 'openai');
    expect((await ask({ sampling: { top_k: 3, max_tokens: 9 } })).note).toMatch(
      /sampling\.top_k means nothing to the provider openai/,
    );
    expect(lastBody()).toMatchObject({ max_output_tokens: 9, store: false });
  });
});
