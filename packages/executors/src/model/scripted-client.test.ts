import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GenerationRequest } from './model-client.ts';
import { ScriptedClient } from './scripted-client.ts';

const SCRIPT = `
steps:
  find:
    - calls: [{tool: "shop:search", args: {word: rye}}, {tool: "bank:pay"}]
      text: Looking.
    - text: Found one.
  judge:
    - {when: rye, text: keep}
    - {text: drop}
    - {text: drop again}
    - {when: rye, text: keep still}
  parrot:
    - {echo: true, usage: {input: 3, output: 1}}
  broken:
    - {error: no credit left}
  away:
    - {error: try later, code: MODEL_UNAVAILABLE}
  long:
    - {truncated: true, text: It began}
  slow:
    - {text: late, delay_ms: 60000}
  "*":
    - {text: anything}
`;

let folder: string;
let client: ScriptedClient;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skillyard-script-'));
  await writeFile(join(folder, 'script.yaml'), SCRIPT);
  client = new ScriptedClient([join(folder, 'script.yaml')]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const request = (
  step: string,
  rest: Partial<GenerationRequest> & { instruction?: string } = {},
): GenerationRequest => ({
  step,
  conversation: '3.g0',
  round: 0,
  messages: [{ role: 'user', text: rest.instruction ?? 'Do it.' }],
  tools: [{ name: 'shop__search', server: 'shop', tool: 'search', description: '', inputSchema: {} }],
  toolChoice: 'auto',
  sampling: {},
  signal: new AbortController().signal,
  ...rest,
});
const textFor = async (
  step: string,
  rest: Partial<GenerationRequest> & { instruction?: string } = {},
): Promise<string> => (await client.generate(request(step, rest))).text;

describe('a scripted model', () => {
  it('asks for calls under the names that are offered, and then answers', async () => {
    const first = await client.generate(request('find'));
    expect(first.text).toBe('Looking.');
    expect(first.calls).toEqual([
      { callId: 'call-0-0', name: 'shop__search', args: { word: 'rye' } },
      { callId: 'call-0-1', name: 'bank:pay', args: {} },
    ]);
    expect(await textFor('find', { round: 1 })).toBe('Found one.');
    expect(await textFor('find', { round: 9 })).toBe('Found one.');
  });

  it('chooses by what stands in the instruction, then by round and attempt, whatever was asked before', async () => {
    expect(await textFor('judge', { instruction: 'a loaf of rye' })).toBe('keep');
    expect(await textFor('judge', { instruction: 'a loaf of rye', conversation: '3.g1' })).toBe('keep still');
    expect(await textFor('judge', { instruction: 'a loaf of oat' })).toBe('drop');
    expect(await textFor('judge', { instruction: 'a loaf of oat', conversation: '3.i4.0.g1' })).toBe(
      'drop again',
    );
    expect(await textFor('judge', { instruction: 'a loaf of oat' })).toBe('drop');
  });

  it('echoes, cuts off, and answers for steps that are not named', async () => {
    expect(await client.generate(request('parrot', { instruction: 'Say\n  hello  \n' }))).toMatchObject({
      text: 'hello',
      usage: { inputTokens: 3, outputTokens: 1 },
    });
    expect(await client.generate(request('long'))).toMatchObject({ text: 'It began', finish: 'length' });
    expect(await textFor('unheard of')).toBe('anything');
  });

  it('fails where the script says so', async () => {
    await expect(client.generate(request('broken'))).rejects.toMatchObject({
      code: 'MODEL_REFUSED',
      message: expect.stringContaining('no credit left'),
    });
    await expect(client.generate(request('away'))).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
  });

  it('stops waiting when it is aborted', async () => {
    const controller = new AbortController();
    const running = client.generate(request('slow', { signal: controller.signal }));
    controller.abort();
    await expect(running).rejects.toThrow(/abort/i);
  });

  it.each([
    ['no YAML', 'steps: [unclosed'],
    [
      'a wrong key',
      'steps: {find: [{txt: hello}]}',
      /"txt" is not known in steps\.find\[0\] \(did you mean text\?\)/,
    ],
    ['no list', 'steps: {find: {text: hello}}', /"steps\.find" must be an array/],
  ])('refuses a script with %s as CONFIG_INVALID', async (_what, text, message = /cannot be used/) => {
    const path = join(folder, 'wrong.yaml');
    await writeFile(path, text);
    await expect(new ScriptedClient([path]).generate(request('find'))).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(message),
    });
  });

  it('says which steps it has when there is none of that name', async () => {
    const path = join(folder, 'small.yaml');
    await writeFile(path, 'steps: {find: [{text: a, when: zebra}]}');
    const small = new ScriptedClient([path]);
    await expect(small.generate(request('fnid'))).rejects.toMatchObject({
      code: 'MODEL_REFUSED',
      message: expect.stringMatching(/nothing for the step "fnid".*Did you mean find/),
    });
    await expect(small.generate(request('find'))).rejects.toMatchObject({
      message: expect.stringMatching(/no entry for the step "find" whose when:/),
    });
    await expect(
      new ScriptedClient([join(folder, 'none.yaml')]).generate(request('find')),
    ).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });

  it('answers from several scripts, and refuses two that answer the same step', async () => {
    const [one, two, again] = ['one.yaml', 'two.yaml', 'again.yaml'].map((file) => join(folder, file));
    await writeFile(one ?? '', 'steps: {find: [{text: from one}]}');
    await writeFile(two ?? '', 'steps: {judge: [{text: from two}]}');
    await writeFile(again ?? '', 'steps: {find: [{text: once more}]}');
    const both = new ScriptedClient([one ?? '', two ?? '']);
    await expect(both.generate(request('find'))).resolves.toMatchObject({ text: 'from one' });
    await expect(both.generate(request('judge'))).resolves.toMatchObject({ text: 'from two' });
    await expect(
      new ScriptedClient([one ?? '', again ?? '']).generate(request('find')),
    ).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(/both answer the step "find"/),
    });
  });
});
