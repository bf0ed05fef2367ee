import {
  type AssetJob,
  type AssetSource,
  type FetchPolicy,
  type JobId,
  SkillyardError,
  type StepResult,
  turnId,
} from '@skillyard/contracts';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localCopies } from './asset-copies.ts';
import { AssetExecutor } from './asset-executor.ts';
import { DEFAULT_MAX_BYTES } from './bounded-text.ts';
import { FetchRunner } from './fetch-policy.ts';
import { FileSource } from './file-source.ts';
import { systemTiming } from './timing.ts';

let folder: string;
let root: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skillyard-assets-'));
  root = join(folder, 'root');
  await mkdir(join(root, 'texts'), { recursive: true });
  await writeFile(join(folder, 'secret.txt'), 'outside');
  await writeFile(join(root, 'texts', 'recipe.md'), '# Rye\n');
  await writeFile(join(root, 'empty.txt'), '');
  await writeFile(join(root, 'large.txt'), 'x'.repeat(DEFAULT_MAX_BYTES + 1));
  await writeFile(join(root, 'bytes.bin'), Buffer.from([0xff, 0xfe, 0x00]));
  await symlink(join(folder, 'secret.txt'), join(root, 'link.txt'));
  await symlink(folder, join(root, 'way-out'));
  await symlink(join(root, 'texts', 'recipe.md'), join(root, 'inside.md'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const job = (asset: Partial<AssetSource>): AssetJob => ({
  id: 't.a0' as JobId,
  turnId: turnId('t'),
  path: '',
  step: '',
  kind: 'asset',
  name: 'recipe',
  asset: { kind: '', source: '', content: '', ref: '', args: {}, params: {}, fetch: null, ...asset },
});

function fileExecutor(now: () => number = Date.now, maxBytes = DEFAULT_MAX_BYTES): AssetExecutor {
  const sources = new Map([['file', new FileSource(root, maxBytes)]]);
  return new AssetExecutor(sources, new FetchRunner(localCopies(), { ...systemTiming, now }));
}
const get = (asset: Partial<AssetSource>, executor = fileExecutor()): Promise<StepResult> =>
  executor.execute(job(asset), new AbortController());
const policy = (onUnavailable: FetchPolicy['onUnavailable'], ttlMs = 0): FetchPolicy => ({
  ttlMs,
  timeoutMs: 0,
  retries: 0,
  onUnavailable,
});

describe('an asset', () => {
  it('is its inline content as it is', async () => {
    expect(await get({ content: '  two\n' })).toMatchObject({ status: 'ok', text: '  two\n' });
    expect(await get({ content: 'two', source: 'inline' })).toMatchObject({ status: 'ok', text: 'two' });
  });

  it('is a file below the root, through links that stay inside too', async () => {
    expect(await get({ ref: 'texts/recipe.md', source: 'file' })).toMatchObject({
      status: 'ok',
      text: '# Rye\n',
    });
    expect(await get({ ref: './texts/../inside.md' })).toMatchObject({ status: 'ok', text: '# Rye\n' });
    expect(await get({ ref: 'empty.txt' })).toMatchObject({ status: 'empty', text: '' });
  });

  it.each([
    ['../secret.txt', /outside the assets' folder/],
    ['texts/../../secret.txt', /outside the assets' folder/],
    ['/etc/hostname', /outside the assets' folder/],
    ['link.txt', /a link that leads out/],
    ['way-out/secret.txt', /a link that leads out/],
    ['missing.md', /there is no such file/],
    ['inside.md/more', /a part of the path is no folder/],
    ['texts', /no ordinary file/],
    ['large.txt', /1048577 bytes; the limit is 1048576/],
    ['bytes.bin', /not UTF-8 text/],
    ['', /no ordinary file/],
  ])('fails with ASSET_UNAVAILABLE for the file %j', async (ref, message) => {
    const result = await get({ ref, source: 'file' });
    expect(result).toMatchObject({ status: 'error', error: { code: 'ASSET_UNAVAILABLE' } });
    expect(result.error?.message).toMatch(message);
  });

  it('is read up to the limit that is configured, and not beyond', async () => {
    expect(await get({ ref: 'texts/recipe.md' }, fileExecutor(Date.now, 6))).toMatchObject({ status: 'ok' });
    const result = await get({ ref: 'texts/recipe.md' }, fileExecutor(Date.now, 5));
    expect(result.error?.message).toMatch(/6 bytes; the limit is 5.*assets\.max_bytes/);
  });

  it('fails with ASSET_UNAVAILABLE for a source that is not configured, with those that are', async () => {
    const result = await get({ ref: 'proj@main:x', source: 'fiel' });
    expect(result.error?.code).toBe('ASSET_UNAVAILABLE');
    expect(result.error?.message).toBe(
      'Asset "recipe" comes from the source "fiel", which is not configured. Did you mean file? The sources are: file, inline.',
    );
    expect((await get({ ref: 'x', source: 'inline' })).error?.message).toMatch(
      /Write the text under content:/,
    );
  });

  it('follows on_unavailable', async () => {
    expect(await get({ ref: 'missing.md', fetch: policy('fail') })).toMatchObject({ status: 'error' });
    expect(await get({ ref: 'missing.md', fetch: policy('empty') })).toMatchObject({
      status: 'empty',
      text: '',
      note: expect.stringMatching(/no such file/),
    });
    expect(await get({ ref: 'missing.md', fetch: policy('stale') })).toMatchObject({ status: 'error' });
  });

  it('is the last copy within its time to live, and when it has gone under stale', async () => {
    let nowMs = 1_000_000;
    const executor = fileExecutor(() => nowMs);
    const path = join(root, 'changing.txt');
    const asset = { ref: 'changing.txt', fetch: policy('stale', 1000) };
    await writeFile(path, 'first');
    expect(await get(asset, executor)).toMatchObject({ text: 'first' });
    await writeFile(path, 'second');
    expect(await get(asset, executor)).toMatchObject({ text: 'first' });
    nowMs += 1000;
    expect(await get(asset, executor)).toMatchObject({ text: 'second' });
    await rm(path);
    nowMs += 1000;
    expect(await get(asset, executor)).toMatchObject({
      status: 'ok',
      text: 'second',
      note: expect.stringMatching(/The copy of 1970/),
    });
  });

  it('keeps apart what has the same ref with other arguments', async () => {
    const texts = new Map([
      ['mcp', { placeOf: () => '', read: async (one: AssetJob) => JSON.stringify(one.asset.args) }],
    ]);
    const executor = new AssetExecutor(texts, new FetchRunner(localCopies(), systemTiming));
    const asset = { source: 'mcp', ref: 'a:b', fetch: policy('fail', 60_000) };
    expect(await get({ ...asset, args: { city: 'Ely' } }, executor)).toMatchObject({
      text: '{"city":"Ely"}',
    });
    expect(await get({ ...asset, args: { city: 'Wells' } }, executor)).toMatchObject({
      text: '{"city":"Wells"}',
    });
  });

  it('gives the reason of an abort, whatever its policy', async () => {
    const reason = new SkillyardError('TURN_CANCELLED', 'no longer wanted');
    const result = await fileExecutor().execute(job({ ref: 'missing.md', fetch: policy('empty') }), {
      signal: AbortSignal.abort(reason),
    });
    expect(result).toMatchObject({ status: 'error', error: { code: 'TURN_CANCELLED' } });
  });
});
