import { createRequire } from 'node:module';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Executors } from '../src/index.ts';
import { callJob, executorsFor, failureText, run } from './jobs.ts';

const require = createRequire(import.meta.url);
/** The reference servers of the protocol, as anybody gets them from npm. */
const script = (name: string): string =>
  require.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`);

let folder: string;
let executors: Executors;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'skillyard-public-')));
  executors = executorsFor({
    servers: {
      everything: { command: process.execPath, args: [script('everything')], trusted: true },
      files: { command: process.execPath, args: [script('filesystem'), folder], trusted: true },
      graph: {
        command: process.execPath,
        args: [script('memory')],
        env: { MEMORY_FILE_PATH: join(folder, 'graph.jsonl') },
      },
    },
  });
});
afterAll(async () => {
  await executors.close();
  await rm(folder, { recursive: true, force: true });
});

describe('the reference servers of MCP', () => {
  it('describe their tools', async () => {
    const { signal } = new AbortController();
    const tools = await executors.describeTools(['everything', 'files', 'graph'], signal);
    const names = tools.map((tool) => `${tool.server}:${tool.tool}`);
    expect(names).toEqual(
      expect.arrayContaining(['everything:get-sum', 'files:read_text_file', 'graph:create_entities']),
    );
    expect(tools.find((tool) => tool.tool === 'read_text_file')?.readOnly).toBe(true);
    expect(await executors.effectOf('graph', 'create_entities', signal)).toBe('once');
  });

  it('everything: text, images, links, structured content, a long operation', async () => {
    expect((await run(executors, callJob('everything:get-sum', { a: 2, b: '3' }))).text).toContain('5');
    expect((await run(executors, callJob('everything:get-tiny-image'))).text).toMatch(
      /\[image, image\/png, [\d.]+ k?B\]/,
    );
    expect((await run(executors, callJob('everything:get-resource-links', { count: 2 }))).text).toMatch(
      /\[resource \S+/,
    );
    const weather = await run(
      executors,
      callJob('everything:get-structured-content', { location: 'Chicago' }),
    );
    expect(JSON.parse(weather.text)).toHaveProperty('temperature');
    const long = await run(
      executors,
      callJob('everything:trigger-long-running-operation', { duration: 0.2, steps: 2 }),
    );
    expect(long.status).toBe('ok');
  });

  it('everything: wrong arguments are refused before they are sent', async () => {
    const result = await run(executors, callJob('everything:get-sum', { a: 'two' }));
    expect(result.sent).toBe(false);
    expect(failureText(result)).toMatch(
      /TOOL_ARGUMENTS_INVALID: everything:get-sum .*"b" is missing.*"a" must be a number, not "two"/,
    );
  });

  it('filesystem: writes, reads, and says what it refuses', async () => {
    const path = join(folder, 'note.txt');
    expect((await run(executors, callJob('files:write_file', { path, content: 'rye\nspelt' }))).status).toBe(
      'ok',
    );
    expect(await readFile(path, 'utf8')).toBe('rye\nspelt');
    expect((await run(executors, callJob('files:read_text_file', { path }))).text).toBe('rye\nspelt');
    const outside = await run(executors, callJob('files:read_text_file', { path: '/etc/hostname' }));
    expect(failureText(outside)).toMatch(/^error TOOL_FAILED: files:read_text_file failed: .*denied/i);
  });

  it('filesystem: a large file comes back as a preview', async () => {
    const path = join(folder, 'large.txt');
    await writeFile(path, 'é'.repeat(50_000));
    const result = await run(executors, callJob('files:read_text_file', { path }));
    expect(result.text).toMatch(/^é{2048}…\n\[mem:m-\w+ — 100 kB, /);
  });

  it('memory: keeps a graph', async () => {
    const entities = [{ name: 'mill', entityType: 'place', observations: ['grinds rye'] }];
    expect((await run(executors, callJob('graph:create_entities', { entities }))).status).toBe('ok');
    expect((await run(executors, callJob('graph:search_nodes', { query: 'rye' }))).text).toContain('mill');
  });
});
