import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { type Header, pack } from 'tar-stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentSkills } from './agent-skills.ts';
import { LIMITS } from './limits.ts';
import { loadAgentSkills } from './load-agent-skills.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skillyard-archives-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

type Entry = readonly [Partial<Header> & Pick<Header, 'name'>, string?];

async function tar(...entries: readonly Entry[]): Promise<Buffer> {
  const archive = pack();
  for (const [header, content] of entries) archive.entry(header, content ?? '');
  archive.finalize();
  return buffer(archive as AsyncIterable<Buffer>);
}

const skill = (name: string): string => `---\nname: ${name}\ndescription: Does ${name}.\n---\nBody.\n`;
const GOOD: Entry = [{ name: 'good/SKILL.md' }, skill('good')];

async function load(bytes: Uint8Array, name = 'a.tar', strict = false): Promise<AgentSkills> {
  await writeFile(join(folder, name), bytes);
  return loadAgentSkills(
    { enable_default_skills: true, paths: [name], strict },
    { cwd: folder, home: folder },
  );
}

const told = (loaded: AgentSkills): string[] =>
  loaded.diagnostics.map(({ severity, code, file }) => `${severity} ${code} ${file ?? ''}`);

describe('an entry that is not read is skipped by name, and the others are', () => {
  it.each<[string, Entry]>([
    ['climbs out', [{ name: '../out/SKILL.md' }, skill('out')]],
    ['climbs out on the way', [{ name: 'a/../../out/SKILL.md' }, skill('out')]],
    ['is a link', [{ name: 'out/SKILL.md', type: 'symlink', linkname: '/etc/passwd' }]],
    ['is a hard link', [{ name: 'out/SKILL.md', type: 'link', linkname: 'good/SKILL.md' }]],
    ['is a device', [{ name: 'out/SKILL.md', type: 'character-device' }]],
    ['has an endless name', [{ name: `${'n'.repeat(5000)}/SKILL.md` }, skill('out')]],
    ['is a pipe', [{ name: 'out/SKILL.md', type: 'fifo' }]],
  ])('%s', async (_, entry) => {
    const loaded = await load(await tar(entry, GOOD));
    expect(loaded.skills('')).toMatchObject([{ name: 'good', location: '/good' }]);
    const [file = ''] = loaded.diagnostics.map((one) => one.file?.replace(/…$/, ''));
    expect(told(loaded)).toEqual([expect.stringMatching(/^warning ARCHIVE_ENTRY_SKIPPED /)]);
    expect(`a.tar!/${entry[0].name}`.startsWith(file)).toBe(true);
  });

  it('is too large', async () => {
    const big = 'x'.repeat(LIMITS.archiveEntryBytes + 1);
    const loaded = await load(await tar([{ name: 'good/big.bin' }, big], GOOD));
    expect(told(loaded)).toEqual(['warning ARCHIVE_ENTRY_SKIPPED a.tar!/good/big.bin']);
    expect(await loaded.skills('')[0]?.resources.list()).toEqual([]);
  });

  it('is a SKILL.md over the limit of one, or not UTF-8', async () => {
    const archive = await tar(
      [{ name: 'big/SKILL.md' }, 'x'.repeat(LIMITS.skillBytes + 1)],
      [{ name: 'bad/SKILL.md', size: 1 }, '\u0000'],
      GOOD,
    );
    archive[archive.indexOf('bad/SKILL.md') + 512] = 0xff;
    const loaded = await load(archive);
    expect(told(loaded)).toEqual([
      'error SKILL_FILE_NOT_UTF8 a.tar!/bad/SKILL.md',
      'error SKILL_FILE_TOO_LARGE a.tar!/big/SKILL.md',
    ]);
    await expect(load(archive, 'a.tar', true)).rejects.toMatchObject({ code: 'SKILL_INVALID' });
  });
});

describe('an archive is refused as a whole', () => {
  it.each([
    [
      'with 100,000 entries',
      async () => Buffer.alloc(100_000 * 512, (await tar([{ name: 'a/SKILL.md' }])).subarray(0, 512)),
    ],
    [
      'that unpacks to far more than its size',
      async () => gzipSync(await tar([{ name: 'a/zeros' }, '\0'.repeat(12 << 20)])),
    ],
    [
      'that holds too much',
      async () =>
        Buffer.alloc(
          LIMITS.archiveBytes + 512 * 1024,
          await tar(
            ...Array.from({ length: 5 }, (_, i): Entry => [{ name: `a/${i}` }, 'x'.repeat(15 << 20)]),
          ),
        ),
    ],
  ])('%s', async (_, bytes) => {
    const packed = await bytes();
    const name = packed[0] === 0x1f ? 'bomb.tar.gz' : 'bomb.tar';
    await expect(load(packed, name)).rejects.toMatchObject({
      code: 'SKILL_TOO_LARGE',
      details: { file: name },
    });
  });

  it.each<[string, string, (whole: Buffer) => Uint8Array]>([
    ['that is cut off in an entry', 'a.tar', (whole) => whole.subarray(0, 700)],
    ['that is no archive', 'a.tar', () => Buffer.alloc(2048, 'nonsense')],
    ['whose gzip is cut off', 'a.tar.gz', (whole) => gzipSync(whole).subarray(0, 60)],
    ['whose gzip is none', 'a.tar.gz', (whole) => whole],
    ['that is gzip under a plain name', 'a.tar', (whole) => gzipSync(whole)],
  ])('%s', async (_, name, change) => {
    const broken = change(await tar(GOOD, [{ name: 'good/data' }, 'x'.repeat(5000)]));
    await expect(load(broken, name)).rejects.toMatchObject({
      code: 'FILE_UNREADABLE',
      details: { file: name },
    });
  });
});

it('an archive gives its skills with their files, and no way out of them', async () => {
  const loaded = await load(
    gzipSync(
      await tar(
        [{ name: './.bot/kit/SKILL.md' }, skill('kit')],
        [{ name: '.bot/kit/a/deep/er.txt' }, 'deep'],
        [{ name: '.bot/kit/a-b.md' }, 'b'],
        [{ name: '.bot/kit-2/secret' }, 'secret'],
      ),
    ),
    'a.tar.gz',
  );
  const [kit] = loaded.skills('bot');
  expect(kit).toMatchObject({ name: 'kit', location: '/.bot/kit', file: 'a.tar.gz!/.bot/kit/SKILL.md' });
  expect(await kit!.resources.list()).toEqual(['a-b.md', 'a/deep/er.txt']);
  expect(Buffer.from(await kit!.resources.read('./a/../a/deep/er.txt')).toString()).toBe('deep');
  for (const path of ['../kit-2/secret', '/a-b.md', 'none']) {
    await expect(kit!.resources.read(path)).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
  }
});
