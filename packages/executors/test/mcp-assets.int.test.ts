import { createRequire } from 'node:module';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@skillyard/contracts';
import { toolServerCommand } from '@skillyard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Executors } from '../src/index.ts';
import { assetJob, executorsFor, failureText, run } from './jobs.ts';

const require = createRequire(import.meta.url);
const script = (name: string): string =>
  require.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`);

let folder: string;
let executors: Executors;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'skillyard-mcp-assets-')));
  executors = executorsFor({
    assets: { max_bytes: 5000 },
    servers: {
      files: { command: process.execPath, args: [script('filesystem'), folder], trusted: true },
      shop: {
        ...toolServerCommand(),
        effects: {
          big: 'read',
          fail: 'read',
          hang: 'read',
          nothing: 'read',
          order: 'idempotent',
          die: 'read',
        },
      },
      away: { command: 'there-is-no-such-program', effect: 'read' },
    },
  });
});
afterAll(async () => {
  await executors.close();
  await rm(folder, { recursive: true, force: true });
});

const get = (ref: string, args: JsonObject = {}, policy = {}) =>
  run(executors, assetJob('mcp', ref, policy, { args }));

describe('an asset from a tool', () => {
  it('is what a tool says that only reads, as its trusted server declares', async () => {
    const path = join(folder, 'rules.md');
    await writeFile(path, 'Be kind.\n');
    expect(await get('files:read_text_file', { path })).toMatchObject({ status: 'ok', text: 'Be kind.\n' });
  });

  it('is what a tool says whose effect the configuration declares', async () => {
    const result = await get('shop:order', { sku: 'rye', quantity: '3' });
    expect(result).toMatchObject({ status: 'ok', text: '{"sku":"rye","quantity":3}' });
    expect(await get('shop:nothing')).toMatchObject({ status: 'empty', text: '' });
  });

  it('is asked for with the args of its job as they are: values were put in before, and may hold braces', async () => {
    const result = await get('shop:order', { sku: '{{city}}', quantity: 1 });
    expect(result).toMatchObject({ status: 'ok', text: '{"sku":"{{city}}","quantity":1}' });
  });

  it('is kept for its ttl, for each of its arguments', async () => {
    const path = join(folder, 'news.md');
    await writeFile(path, 'one');
    const policy = { ttlMs: 600_000 };
    expect(await get('files:read_text_file', { path }, policy)).toMatchObject({ text: 'one' });
    await writeFile(path, 'two');
    expect(await get('files:read_text_file', { path }, policy)).toMatchObject({ text: 'one' });
    expect(await get('files:read_text_file', { path, head: 1 }, policy)).toMatchObject({ text: 'two' });
  });

  it('is not had from a tool that must not be repeated, which is not called', async () => {
    const file = join(folder, 'calls.log');
    expect(failureText(await get('shop:append', { file, line: 'x' }))).toMatch(
      /^error ASSET_UNAVAILABLE: Asset "rules" \(shop:append\) .*must not be repeated.*servers\.shop\.effects\.append: read/,
    );
    await expect(readFile(file)).rejects.toThrow('ENOENT');
    // Says that it only reads, and is not trusted.
    expect(failureText(await get('shop:echo', { text: 'x' }))).toMatch(/must not be repeated/);
  });

  it.each([
    ['shop', {}, /Write it as server:tool/],
    [':echo', {}, /Write it as server:tool/],
    ['shop:', {}, /Write it as server:tool/],
    ['builtin:memory_read', { handle: 'm-abc' }, /a built-in tool/],
    ['nowhere:echo', {}, /no tool server "nowhere" in the configuration/],
    ['shop:odrer', {}, /no tool "odrer". Did you mean order\?/],
    ['shop:order', { sku: 1 }, /args that the tool does not take: .*"quantity" is missing/],
    ['shop:big', { bytes: 5001 }, /5001 bytes; the limit is 5000/],
    ['shop:fail', { message: 'no flour left' }, /the tool failed: no flour left/],
    ['away:echo', {}, /does not start/],
  ])('fails with ASSET_UNAVAILABLE for %j with %j', async (ref, args, message) => {
    const result = failureText(await get(ref, args));
    expect(result).toMatch(/^error ASSET_UNAVAILABLE: /);
    expect(result).toMatch(message);
  });

  it('is asked for again when the server goes, and not when the tool fails', async () => {
    expect(failureText(await get('shop:die', {}, { retries: 1 }))).toMatch(/tried 2 times/);
    expect(failureText(await get('shop:fail', {}, { retries: 1 }))).not.toMatch(/tried/);
  });

  it('is given up when its time is over', async () => {
    await get('shop:nothing');
    const result = await get('shop:hang', {}, { timeoutMs: 100, onUnavailable: 'empty' });
    expect(result).toMatchObject({ status: 'empty', note: expect.stringMatching(/within 100 ms/) });
    expect(await get('shop:nothing')).toMatchObject({ status: 'empty' });
  });
});
