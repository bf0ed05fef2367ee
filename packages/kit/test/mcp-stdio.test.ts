import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  clientWith,
  connectStdio,
  type McpClient,
  type Person,
  textOf,
  type ToolReply,
} from './mcp/mcp-client.ts';

let folder: string;
let ledger: string;
/** Servers by their arguments: sessions do not meet, so tests share them. */
const servers = new Map<string, Promise<McpClient>>();

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kit-mcp-'));
  ledger = join(folder, 'ledger.txt');
});

beforeEach(() => writeFileSync(ledger, ''));

afterAll(async () => {
  const open = await Promise.all(servers.values());
  await Promise.all(open.map(({ client }) => client.close()));
  rmSync(folder, { recursive: true });
});

function serve(...args: string[]): Promise<McpClient> {
  const key = args.join(' ');
  const server = servers.get(key) ?? connectStdio(args, ledger);
  servers.set(key, server);
  return server;
}

function ledgerLines(): string[] {
  return readFileSync(ledger, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}

const START = { params: { leaf: 'oolong' } };

async function begin(server: McpClient): Promise<(step: string, output: unknown) => Promise<ToolReply>> {
  const { session } = await server.ask('start', START);
  return (step, output) => server.ask('advance', { session, step, output });
}

describe('a workflow over stdio', () => {
  it('starts past its gates, with the persona, the tools of the host and the references', async () => {
    const { call, client } = await serve('tea', 'claude-code');
    expect(client.getServerVersion()).toMatchObject({ name: 'tea', version: '1.2.0' });
    expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: true } });
    const result = await call('start', START);
    const reply = JSON.parse(textOf(result)) as ToolReply;
    expect(Object.keys(reply)).toEqual(['session', 'status', 'step', 'prompt', 'schema', 'preamble']);
    expect(reply).toMatchObject({
      session: expect.stringMatching(/^[0-9a-f]{32}$/) as unknown,
      status: 'prompt',
      step: 'brew',
      prompt: '<prompt>\nBrew oolong. Use soft water.\n</prompt>',
      schema: { type: 'object', required: ['seconds'] },
    });
    expect(reply['preamble']).toMatch(/^You are a sommelier\.\n\n/);
    expect(reply['preamble']).toContain('| `<ask-user>` | AskUserQuestion |');
    expect(result.structuredContent).toEqual(reply);
    expect(result.isError).toBeUndefined();
  });

  it('goes to its end, whatever the code of the author writes to stdout', async () => {
    const answer = await begin(await serve('tea'));
    expect(await answer('brew', { seconds: 4 })).toMatchObject({
      step: 'sip',
      prompt: '<prompt>\nSip 1, cooled 1.\n</prompt>',
    });
    expect(await answer('sip', { again: false })).toMatchObject({ step: 'verdict' });
    const done = await answer('verdict', { score: 5 });
    expect(Object.keys(done)).toEqual(['session', 'status', 'finalOutput']);
    expect(done).toMatchObject({ status: 'done', finalOutput: { score: 5 } });
  });

  it('gives a wrong answer back to be mended', async () => {
    const answer = await begin(await serve('tea'));
    expect(await answer('brew', { seconds: -4 })).toMatchObject({
      status: 'error',
      step: 'brew',
      message: 'seconds: seconds must be positive (was -4)',
      retry: true,
    });
    expect(await answer('brew', { seconds: 4 })).toMatchObject({ status: 'prompt' });
  });

  it('takes answers to the step that is asked for only', async () => {
    const answer = await begin(await serve('tea'));
    expect(await answer('verdict', { score: 5 })).toMatchObject({
      status: 'error',
      step: 'verdict',
      message: expect.stringContaining('"brew"') as unknown,
      retry: false,
    });
    expect(await answer('nope', {})).toMatchObject({ message: 'Unknown step "nope"', retry: false });
  });

  it('answers a repeat of the last answer with the same reply, and acts once', async () => {
    const answer = await begin(await serve('tea'));
    const [first, second] = await Promise.all([
      answer('brew', { seconds: 4 }),
      answer('brew', { seconds: 4 }),
    ]);
    expect(second).toEqual(first);
    expect(await answer('brew', { seconds: 5 })).toMatchObject({ status: 'error', retry: false });
    expect(ledgerLines()).toEqual(['weigh 4']);
  });

  it('takes the same answer to a step that is asked for again as a new one', async () => {
    const server = await serve('tea');
    const answer = await begin(server);
    await answer('brew', { seconds: 4 });
    expect(await answer('sip', { again: true })).toMatchObject({ step: 'sip' });
    const result = await server.call('advance', {
      session: (await answer('nope', {}))['session'],
      step: 'sip',
      output: { again: true },
    });
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toMatchObject({ code: 'CYCLE_GUARD' });
    // The step has no way on but by another answer, or past it.
    expect(await answer('verdict', { score: 1 })).toMatchObject({ status: 'done' });
  });

  it('says what is wrong with a final output, and takes another', async () => {
    const server = await serve('tea');
    const { session } = await server.ask('start', START);
    await server.ask('advance', { session, step: 'brew', output: { seconds: 4 } });
    await server.ask('advance', { session, step: 'sip', output: { again: false } });
    const result = await server.call('advance', { session, step: 'verdict', output: { score: 50 } });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('score must be at most 10 (was 50)');
    expect(await server.ask('advance', { session, step: 'verdict', output: { score: 5 } })).toMatchObject({
      status: 'done',
    });
  });

  it('tells of a session that is done what came of it, and of one that is unknown to begin', async () => {
    const server = await serve('tea');
    const answer = await begin(server);
    await answer('brew', { seconds: 4 });
    await answer('sip', { again: false });
    await answer('verdict', { score: 5 });
    expect(await answer('verdict', { score: 5 })).toMatchObject({
      status: 'error',
      message: expect.stringContaining('{"score":5}') as unknown,
      retry: false,
    });
    const unknown = await server.ask('advance', { session: 'ffffffff', step: 'brew', output: {} });
    expect(unknown).toMatchObject({ status: 'error', step: 'brew', retry: false });
    expect(unknown['message']).toContain('ffffffff');
  });

  it('refuses params that do not fit, by a code', async () => {
    const { call } = await serve('tea');
    const result = await call('start', {});
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('leaf must be a string (was missing)');
    expect(result.structuredContent).toMatchObject({ code: 'PARAMS_INVALID' });
  });

  it('aborts the action of a call that the client gives up', async () => {
    const { client, ask } = await serve('slow');
    const { session } = await ask('start');
    const controller = new AbortController();
    const call = client.callTool(
      { name: 'advance', arguments: { session, step: 'wait', output: ['a'] } },
      { signal: controller.signal },
    );
    const outcome = call.then(
      () => 'answered',
      () => 'given up',
    );
    await vi.waitFor(() => expect(ledgerLines()).toEqual(['begun']), 10_000);
    controller.abort();
    expect(await outcome).toBe('given up');
    await vi.waitFor(() => expect(ledgerLines()).toEqual(['begun', 'aborted']), 10_000);
  });

  it('goes on in another process when its sessions are kept in a folder', async () => {
    const sessions = mkdtempSync(join(folder, 'sessions-'));
    const before = await connectStdio(['tea', 'generic', sessions], ledger);
    const { session } = await before.ask('start', START);
    const reply = await before.ask('advance', { session, step: 'brew', output: { seconds: 4 } });
    await before.client.close();
    const after = await serve('tea', 'generic', sessions);
    expect(await after.ask('advance', { session, step: 'brew', output: { seconds: 4 } })).toEqual(reply);
    expect(ledgerLines()).toEqual(['weigh 4']);
    expect(await after.ask('advance', { session, step: 'sip', output: { again: false } })).toMatchObject({
      step: 'verdict',
    });
    expect(
      await after.ask('advance', { session: 'f'.repeat(32), step: 'sip', output: { again: false } }),
    ).toMatchObject({ status: 'error', retry: false });
  });
});

describe('a composite skill', () => {
  it('leads into a sub-skill, whose persona comes with it, and whose steps may be named without it', async () => {
    const server = await serve('desk');
    const { session } = await server.ask('start');
    const entered = await server.ask('advance', {
      session,
      step: 'greet',
      output: { intent: 'subskill:mooring' },
    });
    expect(entered).toMatchObject({
      step: 'mooring/measure',
      prompt: '<prompt>\nMeasure at seven.\n</prompt>',
      preamble: expect.stringMatching(/^Speak as a harbour master\./) as unknown,
    });
    expect(await server.ask('advance', { session, step: 'measure', output: { metres: 5 } })).toMatchObject({
      step: 'mooring/tie',
      prompt: '<prompt>\nTie up at seven.\n</prompt>',
    });
    expect(await server.ask('advance', { session, step: 'mooring/tie', output: {} })).toMatchObject({
      status: 'done',
    });
  });

  it('begins in a sub-skill when it is asked to', async () => {
    const server = await serve('desk');
    const started = await server.ask('start', { subskill: 'mooring', params: { berth: 'two' } });
    expect(started).toMatchObject({
      step: 'mooring/measure',
      prompt: '<prompt>\nMeasure at two.\n</prompt>',
    });
    expect((await server.call('start', { subskill: 'fog' })).isError).toBe(true);
  });

  it('stays where it is when it is led to where nothing is', async () => {
    const server = await serve('desk');
    const { session } = await server.ask('start');
    expect(await server.ask('advance', { session, step: 'greet', output: { intent: 'fog' } })).toMatchObject({
      status: 'error',
      step: '',
      message: expect.stringContaining('fog') as unknown,
      retry: false,
    });
    expect(
      await server.ask('advance', { session, step: 'greet', output: { intent: 'topic:tides' } }),
    ).toMatchObject({ status: 'done', finalOutput: { topic: 'tides', content: 'Use soft water.\n' } });
  });

  it('has its topics as tools', async () => {
    const { client, ask, call } = await serve('desk');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['start', 'advance', 'topics', 'topic']);
    expect(await ask('topics')).toEqual({ topics: [{ name: 'tides', label: 'Tide tables' }] });
    expect(await ask('topic', { name: 'tides' })).toEqual({ name: 'tides', content: 'Use soft water.\n' });
    const unknown = await call('topic', { name: 'toString' });
    expect(unknown.isError).toBe(true);
    expect(textOf(unknown)).toContain('tides');
  });
});

describe('a prompt that only asks people', () => {
  async function greeted(person: Person): Promise<ToolReply> {
    const server = await connectStdio(['crew'], ledger, clientWith(person));
    const { session } = await server.ask('start');
    const reply = await server.ask('advance', { session, step: 'greet', output: { name: 'Fay' } });
    await server.client.close();
    return reply;
  }

  it('is shown by a client that can, and the agent gets the prompt after it', async () => {
    const person: Person = {
      answers: [
        { answer1: true },
        { answer1: ['rope', 'axe'], answer2: 'ridge' },
        { answer1: true, changes1: 'slower' },
        { answer1: 'views' },
      ],
      forms: [],
    };
    const responses = [
      { name: 'Fay' },
      { ok: true },
      { gear: ['rope', 'axe'], route: 'ridge' },
      { approved: true, changes: 'slower' },
      { reason: 'views' },
    ];
    expect(await greeted(person)).toMatchObject({
      status: 'prompt',
      step: 'work',
      prompt: `<confirm default="no">Ready?</confirm>\n\n<prompt>\n${JSON.stringify(responses)}\n</prompt>`,
    });
    expect(person.forms.map(({ message }) => message)).toEqual([
      'Burn the map?\nThis cannot be undone.',
      'Which gear?\n- Rope: Ten metres\n\nWhich route?\n- Valley: green',
      '~~~\n\nWalk.\n1. Out\n2. Back',
      'Why?',
    ]);
    expect(person.forms[1]?.fields).toEqual({
      answer1: {
        type: 'array',
        title: 'Gear',
        items: {
          anyOf: [
            { const: 'rope', title: 'Rope' },
            { const: 'axe', title: 'Axe' },
          ],
        },
      },
      answer2: {
        type: 'string',
        title: 'Which route?',
        oneOf: [
          { const: 'ridge', title: 'Ridge' },
          { const: 'valley', title: 'Valley' },
        ],
      },
    });
  });

  it.each(['decline', 'cancel'] as const)('goes to the agent when people %s', async (answer) => {
    expect(await greeted({ answers: [answer], forms: [] })).toMatchObject({
      status: 'prompt',
      step: 'sure',
      prompt: '<confirm default="no" destructive="true">Burn the map?</confirm>',
    });
  });

  it('goes to the agent with what is wrong when the response does not fit', async () => {
    const answers: Person['answers'] = [
      { answer1: true },
      { answer1: [], answer2: 'valley' },
      { answer1: false },
      { answer1: '-' },
    ];
    expect(await greeted({ answers, forms: [] })).toMatchObject({
      status: 'error',
      step: 'why',
      retry: true,
    });
  });

  it('goes to the agent of a client that shows no forms', async () => {
    const { ask } = await serve('crew');
    const { session } = await ask('start');
    expect(await ask('advance', { session, step: 'greet', output: { name: 'Fay' } })).toMatchObject({
      step: 'sure',
    });
  });
});

describe('a reference', () => {
  it('gives its topics as text', async () => {
    const { client, call } = await serve('knots');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['topics', 'topic']);
    expect(textOf(await call('topics'))).toBe('bowline: Bowline knot\nlost: A file that is gone');
    expect(textOf(await call('topic', { name: 'bowline' }))).toBe('Make a loop.\n');
    expect((await call('topic', { name: 'sheet' })).isError).toBe(true);
    const lost = await call('topic', { name: 'lost' });
    expect(lost).toMatchObject({ isError: true, structuredContent: { code: 'REFERENCE_MISSING' } });
  });
});
