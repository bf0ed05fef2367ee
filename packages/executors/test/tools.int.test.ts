import { type Config, SkillyardError, type StepResult, type WorkingMemory } from '@skillyard/contracts';
import { bigText, toolServerCommand, until } from '@skillyard/testing';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Executors } from '../src/index.ts';
import { callJob, executorsFor, failureText, memoryJob, run } from './jobs.ts';

const TRACE = / at .*:\d+:\d+/;

/** One message, no stack, nothing of the library's. */
function expectClear(result: StepResult, ...mentions: (string | RegExp)[]): void {
  const message = result.error?.message ?? '';
  expect(message).not.toMatch(TRACE);
  expect(message).not.toContain('\n');
  for (const mention of mentions) expect(message).toMatch(mention);
}

let folder: string;
let executors: Executors;
/** One server process for the tests that need nothing of their own. */
let shared: Executors;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skillyard-tools-'));
  shared = executorsFor({ servers: { shop: toolServerCommand() } });
});
afterAll(async () => {
  await shared.close();
  await rm(folder, { recursive: true, force: true });
});
afterEach(async () => {
  if (executors !== shared) await executors.close();
});

function withServers(
  servers: NonNullable<Config['servers']>,
  config: Partial<Config> = {},
  connectTimeoutMs = 20_000,
): Executors {
  executors = executorsFor({ ...config, servers }, { connectTimeoutMs });
  return executors;
}
const double = (): Executors => (executors = shared);

describe('a call over stdio', () => {
  it('gives the text of the tool', async () => {
    const result = await run(double(), callJob('shop:echo', { text: 'rye' }));
    expect(result).toMatchObject({ status: 'ok', text: 'rye', sent: true });
  });

  it('shares one server process between calls at the same time', async () => {
    const file = join(folder, 'shared.log');
    const calls = Array.from({ length: 10 }, (_unused, index) =>
      callJob('shop:append', { file, line: String(index) }),
    );
    const results = await Promise.all(calls.map((job) => run(double(), job)));
    expect(results.map((result) => result.status)).toEqual(results.map(() => 'ok'));
    expect((await readFile(file, 'utf8')).trim().split('\n')).toHaveLength(10);
  });

  it('gives structured content as JSON when there is no text, and empty when there is nothing', async () => {
    double();
    expect(await run(executors, callJob('shop:structured'))).toMatchObject({
      status: 'ok',
      text: '{"rows":[{"id":1},{"id":2}]}',
    });
    expect(await run(executors, callJob('shop:nothing'))).toMatchObject({ status: 'empty', text: '' });
  });

  it('fails with TOOL_FAILED and what the tool said', async () => {
    const result = await run(double(), callJob('shop:fail', { message: 'no flour left' }));
    expect(failureText(result)).toBe('error TOOL_FAILED: shop:fail failed: no flour left');
    expect(result.sent).toBe(true);
  });

  it('is denied when the tool says DENIED', async () => {
    const result = await run(double(), callJob('shop:deny', { message: 'managers only' }));
    expect(failureText(result)).toBe('denied TOOL_DENIED: shop:deny refused: managers only');
  });

  it('keeps a large result in working memory and shows its beginning', async () => {
    withServers({ shop: toolServerCommand() }, { memory: { preview_bytes: 300 } });
    const result = await run(executors, callJob('shop:big', { bytes: 20_000 }));
    const [, handle = ''] =
      /\n\[mem:(m-\w+) — 20 kB, read on with builtin:memory_read\]$/.exec(result.text) ?? [];
    expect(result.text.startsWith(`${bigText(300)}…\n`)).toBe(true);
    expect(await run(executors, memoryJob(handle))).toMatchObject({ status: 'ok', text: bigText(20_000) });
    executors.forgetTurn(memoryJob(handle).turnId);
    expect(await run(executors, memoryJob(handle))).toMatchObject({ status: 'empty' });
  });

  it('is not sent when the arguments do not fit the schema', async () => {
    const wrong = { quantity: 'many', colour: 'blue', size: 3 };
    const result = await run(double(), callJob('shop:order', wrong, { origin: 'model' }));
    expect(result).toMatchObject({
      status: 'error',
      sent: false,
      miss: true,
      error: { code: 'TOOL_ARGUMENTS_INVALID' },
    });
    expectClear(
      result,
      /shop:order/,
      /"sku" is missing/,
      /"quantity" must be an integer, not "many"/,
      /"colour" must be one of "red", "green"/,
      /"size" is not known/,
    );
  });

  it('reads text of a template as JSON where the schema wants no text', async () => {
    const args = { sku: '007', quantity: '3', gift: 'true', tags: '["a","b"]' };
    const result = await run(double(), callJob('shop:order', args));
    expect(JSON.parse(result.text)).toEqual({ sku: '007', quantity: 3, gift: true, tags: ['a', 'b'] });
    const refused = await run(executors, callJob('shop:order', args, { origin: 'model' }));
    expect(refused.error?.code).toBe('TOOL_ARGUMENTS_INVALID');
  });

  it('names near tools when there is none of that name', async () => {
    const result = await run(double(), callJob('shop:ehco', { text: 'x' }));
    expect(result).toMatchObject({ sent: false, miss: true, error: { code: 'TOOL_UNKNOWN' } });
    expectClear(result, /"shop" has no tool "ehco"/, /Did you mean echo/);
  });

  it('names the servers when there is none of that name', async () => {
    const result = await run(double(), callJob('shopp:echo', { text: 'x' }));
    expect(result).toMatchObject({ sent: false, error: { code: 'SERVER_UNKNOWN' } });
    expectClear(result, /no tool server "shopp"/, /Did you mean shop/);
  });

  it('learns of new tools when the server says that its list changed', async () => {
    double();
    expect((await run(executors, callJob('shop:dance'))).error?.code).toBe('TOOL_UNKNOWN');
    await run(executors, callJob('shop:learn', { name: 'dance' }));
    const described = await until(async () =>
      (await executors.describeTools(['shop'], AbortSignal.timeout(5000))).find(
        (tool) => tool.tool === 'dance',
      ),
    );
    expect(described.server).toBe('shop');
    expect(await run(executors, callJob('shop:dance'))).toMatchObject({
      status: 'ok',
      text: 'dance was learned',
    });
  });

  it('puts values of working memory into the arguments, and says so when one is gone', async () => {
    withServers({ shop: toolServerCommand() }, { memory: { preview_bytes: 256 } });
    const big = await run(executors, callJob('shop:big', { bytes: 1000 }));
    const handle = /\[mem:([\w-]+)/.exec(big.text)?.[1] ?? '';
    const fill = (id: string) => [
      { at: ['text'], parts: [{ text: '<' }, { handle: id, otherwise: 'line 1' }, { text: '>' }] },
    ];
    const whole = await run(executors, callJob('shop:echo', { text: '' }, { fill: fill(handle) }));
    const read = await run(executors, memoryJob(/\[mem:([\w-]+)/.exec(whole.text)?.[1] ?? ''));
    expect(read.text).toBe(`<${bigText(1000)}>`);

    const lost = await run(executors, callJob('shop:echo', { text: '' }, { fill: fill('m-nothing') }));
    expect(lost).toMatchObject({
      status: 'ok',
      text: '<line 1>',
      note: expect.stringContaining('m-nothing') as string,
    });
  });
});

describe('a server over stdio that misbehaves', () => {
  it('does not start: there is no such program', async () => {
    withServers({ shop: { command: 'no-such-program-here' } });
    const result = await run(executors, callJob('shop:echo', { text: 'x' }));
    expect(result).toMatchObject({ status: 'error', sent: false, error: { code: 'SERVER_UNAVAILABLE' } });
    expectClear(result, /"shop" does not start/, /no-such-program-here/, /servers\.shop\.command/);
  });

  it('does not start: it ends at once, and its last words are told', async () => {
    withServers({ shop: { ...toolServerCommand('--crash'), env_from: ['SHOP_TOKEN'] } });
    const result = await run(executors, callJob('shop:echo', { text: 'x' }));
    expect(result.error?.code).toBe('SERVER_UNAVAILABLE');
    expectClear(result, /ended with code 3/, /no database configured/, /SHOP_TOKEN/);
  });

  it('never answers the handshake', async () => {
    withServers({ shop: toolServerCommand('--mute') }, {}, 400);
    const result = await run(executors, callJob('shop:echo', { text: 'x' }));
    expect(result.error?.code).toBe('SERVER_UNAVAILABLE');
    expectClear(result, /did not answer the handshake within 400 ms/);
  });

  it('answers the handshake with prose', async () => {
    withServers({ shop: toolServerCommand('--babble') }, {}, 8000);
    const result = await run(executors, callJob('shop:echo', { text: 'x' }));
    expect(result.error?.code).toBe('SERVER_GARBLED');
    expectClear(result, /Hello, I am a server/, /nothing but the protocol/);
  });

  it('is forgiven a banner on stdout', async () => {
    withServers({ shop: toolServerCommand('--banner') });
    expect(await run(executors, callJob('shop:echo', { text: 'rye' }))).toMatchObject({
      status: 'ok',
      text: 'rye',
    });
  });

  it('dies in a call to a tool that may run once only: the call is lost, and the next one has a new server', async () => {
    const file = join(folder, 'die.log');
    const result = await run(double(), callJob('shop:die', { file }));
    expect(result).toMatchObject({ status: 'lost', sent: true, error: { code: 'STEP_LOST' } });
    expectClear(
      result,
      /ended with code 7 during the call of die/,
      /not repeated/,
      /servers\.shop\.effects\.die/,
    );
    expect((await readFile(file, 'utf8')).trim()).toBe('dying');
    expect(await run(executors, callJob('shop:echo', { text: 'again' }))).toMatchObject({
      status: 'ok',
      text: 'again',
    });
  });

  it('dies in a call to a tool that may be repeated: the driver may retry', async () => {
    withServers({ shop: { ...toolServerCommand(), effects: { die: 'idempotent' } } });
    const result = await run(executors, callJob('shop:die'));
    expect(result).toMatchObject({ status: 'error', sent: true, error: { code: 'SERVER_UNAVAILABLE' } });
  });

  it('answers a call with half a message, or with one of another shape', async () => {
    for (const kind of ['cut-off', 'shape']) {
      const result = await run(double(), callJob('shop:garbage', { kind }));
      expect(result).toMatchObject({ status: 'error', sent: true, error: { code: 'SERVER_GARBLED' } });
      expectClear(result, /"shop"/, /not MCP/, /jsonrpc/);
    }
  });

  it('answers a call with prose: told apart from slowness when the time is over', async () => {
    withServers({ shop: { ...toolServerCommand(), timeout: '2s' } });
    await run(executors, callJob('shop:echo', { text: 'warm' }));
    const result = await run(executors, callJob('shop:garbage', { kind: 'prose' }));
    expect(result.error?.code).toBe('SERVER_GARBLED');
    expectClear(result, /Thank you for your call/);
  });

  it('never answers a call: TOOL_TIMEOUT after the time of the configuration', async () => {
    withServers({ shop: { ...toolServerCommand(), timeout: '200ms' } });
    const result = await run(executors, callJob('shop:hang'));
    expect(result).toMatchObject({ status: 'error', sent: true, error: { code: 'TOOL_TIMEOUT' } });
    expectClear(result, /shop:hang did not answer within 200 ms/, /servers\.shop\.timeout/);
  });

  it("never answers a call: STEP_TIMEOUT when it is the step's own time", async () => {
    await run(double(), callJob('shop:echo', { text: 'warm' }));
    const result = await run(executors, callJob('shop:hang', {}, { timeoutMs: 500 }));
    expect(result).toMatchObject({ status: 'error', sent: true, error: { code: 'STEP_TIMEOUT' } });
  });
});

describe('a server that hangs', () => {
  it('is started anew when it does not answer a ping either', async () => {
    withServers({ shop: { ...toolServerCommand(), timeout: '5s' } });
    await run(executors, callJob('shop:echo', { text: 'warm' }));
    const frozen = await run(executors, callJob('shop:freeze', {}, { timeoutMs: 1000 }));
    expect(frozen).toMatchObject({ sent: true, error: { code: 'STEP_TIMEOUT' } });
    const alive = await until(async () => {
      const result = await run(executors, callJob('shop:echo', { text: 'back' }));
      return result.status === 'ok' && result.text;
    }, 20_000);
    expect(alive).toBe('back');
  });

  it('does not keep a step beyond its time while it starts, nor us when we close', async () => {
    withServers({ shop: toolServerCommand('--mute') }, {}, 60_000);
    const result = await run(executors, callJob('shop:echo', { text: 'x' }, { timeoutMs: 100 }));
    expect(result).toMatchObject({ status: 'error', error: { code: 'STEP_TIMEOUT' } });
    const waiting = run(executors, callJob('shop:echo', { text: 'x' }));
    await executors.close();
    expect((await waiting).error?.code).toBe('SERVER_UNAVAILABLE');
  });
});

describe('a result that cannot be stored', () => {
  const memory = (): WorkingMemory => ({
    put: async () => {
      throw new SkillyardError('REDIS_UNAVAILABLE', 'Redis cannot be reached.');
    },
    get: async () => ({ found: false }),
  });

  it('is lost when the tool may run once only, and may be retried when it may be repeated', async () => {
    const servers = { once: toolServerCommand(), often: { ...toolServerCommand(), effect: 'read' as const } };
    executors = executorsFor({ servers, memory: { preview_bytes: 256 } }, { memory: memory() });
    const lost = await run(executors, callJob('once:big', { bytes: 1000 }));
    expect(lost).toMatchObject({ status: 'lost', sent: true, error: { code: 'STEP_LOST' } });
    expectClear(lost, /Redis cannot be reached\. once:big may have been carried out/);
    expect(await run(executors, callJob('often:big', { bytes: 1000 }))).toMatchObject({
      status: 'error',
      sent: true,
      error: { code: 'REDIS_UNAVAILABLE' },
    });
  });
});

describe('a call that is stopped', () => {
  it('is aborted at the server, and gives the reason of the signal', async () => {
    const file = join(folder, 'stopped.log');
    const controller = new AbortController();
    const running = run(double(), callJob('shop:slow', { ms: 60_000, file }), controller.signal);
    await until(() => readFile(file, 'utf8'));
    controller.abort(new SkillyardError('TURN_CANCELLED', 'cancelled by its owner'));
    expect(failureText(await running)).toBe('error TURN_CANCELLED: cancelled by its owner');
    await until(async () => (await readFile(file, 'utf8')).includes('aborted'));
  });

  it('does not start when the signal was aborted before', async () => {
    const result = await run(
      double(),
      callJob('shop:echo', { text: 'x' }),
      AbortSignal.abort(new DOMException('late', 'TimeoutError')),
    );
    expect(result.error?.code).toBe('STEP_TIMEOUT');
  });
});

describe('the environment of a server', () => {
  it('holds what the configuration passes on and sets, and nothing else of ours', async () => {
    const command = toolServerCommand();
    executors = executorsFor(
      { servers: { shop: { ...command, env: { SHOP_NAME: 'mill' }, env_from: ['SHOP_REGION'] } } },
      { env: { SHOP_REGION: 'north', DATABASE_PASSWORD: 'do-not-pass-on' } },
    );
    const read = async (name: string): Promise<string> =>
      (await run(executors, callJob('shop:environment', { name }))).text;
    expect(await read('SHOP_NAME')).toBe('mill');
    expect(await read('SHOP_REGION')).toBe('north');
    expect(await read('DATABASE_PASSWORD')).toBe('(not set)');
    expect(await read('VITEST')).toBe('(not set)');
  });

  it('does not come back as a result: secrets are replaced by their names', async () => {
    executors = executorsFor(
      {
        servers: { shop: { ...toolServerCommand(), env_from: ['SHOP_TOKEN'] } },
        memory: { preview_bytes: 256 },
      },
      { env: { SHOP_TOKEN: 'tok-123456789' } },
    );
    expect((await run(executors, callJob('shop:environment', { name: 'SHOP_TOKEN' }))).text).toBe(
      '[secret SHOP_TOKEN]',
    );
    const said = await run(executors, callJob('shop:fail', { message: 'bad token tok-123456789' }));
    expect(said.error?.message).toBe('shop:fail failed: bad token [secret SHOP_TOKEN]');
    const long = await run(executors, callJob('shop:echo', { text: `${'x'.repeat(500)} tok-123456789` }));
    const handle = /\[mem:([\w-]+)/.exec(long.text)?.[1] ?? '';
    expect((await run(executors, memoryJob(handle))).text).not.toContain('tok-123456789');
  });
});

describe('the effect of a tool', () => {
  it('is once unless the configuration or a trusted server says otherwise', async () => {
    const { signal } = new AbortController();
    withServers({
      plain: toolServerCommand(),
      trusted: { ...toolServerCommand(), trusted: true, effects: { append: 'read' } },
      declared: { ...toolServerCommand(), effect: 'idempotent' },
    });
    expect(await executors.effectOf('plain', 'echo', signal)).toBe('once');
    expect(await executors.effectOf('trusted', 'echo', signal)).toBe('read');
    expect(await executors.effectOf('trusted', 'upsert', signal)).toBe('idempotent');
    expect(await executors.effectOf('trusted', 'append', signal)).toBe('read');
    expect(await executors.effectOf('trusted', 'order', signal)).toBe('once');
    expect(await executors.effectOf('declared', 'order', signal)).toBe('idempotent');
    expect(await executors.effectOf('builtin', 'memory_read', signal)).toBe('read');
    expect(await executors.effectOf('nobody', 'knows', signal)).toBe('once');
  });
});

describe('builtin:memory_read', () => {
  it('pages through a value and says where the page stands', async () => {
    withServers({ shop: toolServerCommand() }, { memory: { preview_bytes: 256 } });
    const big = await run(executors, callJob('shop:big', { bytes: 10_000 }));
    const handle = /\[mem:([\w-]+)/.exec(big.text)?.[1] ?? '';
    const first = await run(executors, callJob('builtin:memory_read', { handle }));
    expect(first.text).toBe(
      `Characters 0 to 4000 of 10000; read on with offset 4000.\n${bigText(10_000).slice(0, 4000)}`,
    );
    const last = await run(
      executors,
      callJob('builtin:memory_read', { handle: `[mem:${handle} — 10 kB, …]`, offset: 8000, limit: 9000 }),
    );
    expect(last.text).toBe(
      `Characters 8000 to 10000 of 10000; this is the end.\n${bigText(10_000).slice(8000)}`,
    );
  });

  it('says clearly when there is no such value, no such place, or a wrong argument', async () => {
    withServers({}, { memory: { preview_bytes: 256 } });
    expect(failureText(await run(executors, callJob('builtin:memory_read', { handle: 'm-none' })))).toMatch(
      /TOOL_FAILED: .*no value under the handle m-none/,
    );
    expect(failureText(await run(executors, callJob('builtin:memory_read', { offset: -1 })))).toMatch(
      /TOOL_ARGUMENTS_INVALID: .*"handle" is missing/,
    );
  });
});
