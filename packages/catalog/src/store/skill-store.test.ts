import { execFileSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SkillStore } from './skill-store.ts';
import { skillHash, type SkillVersion } from './skill-version.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skillyard-store-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function skillText(name: string, version: string, says = 'd'): string {
  return `skill_engine_version: "2.5.0"\nskill_version: "${version}"\nname: ${name}\ndescription: ${says}\nworkflow: {steps: [{exit: {}}]}\n`;
}

/** Writes a file that has been still for long. */
async function write(file: string, text: string): Promise<void> {
  const path = join(folder, file);
  await writeFile(path, text);
  await utimes(path, new Date(1_000_000), new Date(1_000_000));
}

const open = (keep?: number) =>
  SkillStore.open({ folders: [folder], settleMs: 20, ...(keep !== undefined && { keep }) });
const codes = (store: SkillStore) => store.diagnostics().map(({ code, file }) => `${code} ${file ?? ''}`);

describe('SkillStore', () => {
  it('finds skills by the name in their header, with version and hash', async () => {
    const text = skillText('logs', '1.2.0');
    await write('collect.yaml', text);
    await mkdir(join(folder, 'disks'));
    await write('disks/skill.yaml', skillText('disks', '1.0.0'));
    const store = await open();
    expect(store.names()).toEqual(['logs', 'disks']);
    expect(store.get('logs')).toMatchObject({
      name: 'logs',
      version: '1.2.0',
      hash: skillHash(text),
      path: join(folder, 'collect.yaml'),
      file: 'collect.yaml',
      text,
    });
    expect(store.get('disks')?.file).toBe('disks/skill.yaml');
    expect(store.get('gone')).toBeUndefined();
    expect(store.diagnostics()).toEqual([]);
  });

  it('keeps earlier versions, by number and by hash, and what was handed out stays', async () => {
    await write('a.yaml', skillText('a', '1.0.0'));
    const store = await open();
    const first = store.get('a');
    await write('a.yaml', skillText('a', '1.1.0', 'another'));
    await store.refresh();
    expect(store.get('a')?.version).toBe('1.1.0');
    expect(first?.skill.description).toBe('d');
    expect(store.get('a', { version: '1.0.0' })).toEqual(first);
    expect(store.get('a', { hash: first?.hash ?? '' })).toEqual(first);
    expect(store.get('a', { version: '9.0.0' })).toBeUndefined();
    expect(store.history('a').map(({ version }) => version)).toEqual(['1.0.0', '1.1.0']);
  });

  it('remembers so many versions and no more', async () => {
    await write('a.yaml', skillText('a', '1.0.0'));
    const store = await open(3);
    for (const version of ['2.0.0', '3.0.0', '4.0.0', '5.0.0']) {
      await write('a.yaml', skillText('a', version, `says ${version}`));
      await store.refresh();
    }
    expect(store.history('a').map(({ version }) => version)).toEqual(['3.0.0', '4.0.0', '5.0.0']);
  });

  it('keeps the last good version of a file that stops loading, and says so', async () => {
    await write('a.yaml', skillText('a', '1.0.0'));
    const store = await open();
    await write('a.yaml', 'name: [\n');
    await store.refresh();
    expect(store.get('a')?.version).toBe('1.0.0');
    expect(codes(store)).toEqual(['SKILL_YAML a.yaml']);
    await write('a.yaml', skillText('a', '1.0.1'));
    await store.refresh();
    expect(store.get('a')?.version).toBe('1.0.1');
    expect(store.diagnostics()).toEqual([]);
  });

  it('refuses a skill that has never loaded with SKILL_INVALID and its place', async () => {
    await write('a.yaml', 'skill_engine_version: "2.5.0"\nname: b\ndescription: d\nmode: dance\n');
    const store = await open();
    expect(store.names()).toEqual(['b']);
    expect(() => store.get('b')).toThrow(/skill "b" is refused: a\.yaml:4:1: /);
  });

  it('forgets a skill whose file is gone, and still knows its versions', async () => {
    await write('a.yaml', skillText('a', '1.0.0'));
    const store = await open();
    await rm(join(folder, 'a.yaml'));
    await store.refresh();
    expect(store.get('a')).toBeUndefined();
    expect(store.get('a', { version: '1.0.0' })?.name).toBe('a');
  });

  it('puts an earlier version back into the file', async () => {
    const old = skillText('a', '1.0.0');
    await write('a.yaml', old);
    const store = await open();
    await write('a.yaml', skillText('a', '2.0.0'));
    await store.refresh();
    expect(await store.rollback('a', { version: '1.0.0' })).toMatchObject({ version: '1.0.0', text: old });
    expect(await readFile(join(folder, 'a.yaml'), 'utf8')).toBe(old);
    expect(await readdir(folder)).toEqual(['a.yaml']);
    expect(store.get('a')?.version).toBe('1.0.0');
    expect(store.history('a').map(({ version }) => version)).toEqual(['2.0.0', '1.0.0']);
    await expect(store.rollback('a', { version: '7.0.0' })).rejects.toMatchObject({
      code: 'SKILL_NOT_FOUND',
    });
  });

  it('leaves a changed file alone until it has been still', async () => {
    let nowMs = 5_000;
    await write('a.yaml', skillText('a', '1.0.0'));
    const store = await SkillStore.open({ folders: [folder], settleMs: 100, now: () => nowMs });
    await writeFile(join(folder, 'a.yaml'), skillText('a', '2.0.0'));
    await utimes(join(folder, 'a.yaml'), new Date(5_000), new Date(5_000));
    expect(await store.refresh()).toBe(false);
    expect(store.get('a')?.version).toBe('1.0.0');
    nowMs = 5_100;
    expect(await store.refresh()).toBe(true);
    expect(store.get('a')?.version).toBe('2.0.0');
  });

  it('names what it cannot take, and takes the rest', async () => {
    await write('good.yaml', skillText('good', '1.0.0'));
    await write('twice.yaml', skillText('good', '2.0.0'));
    await write('bytes.yaml', '');
    await writeFile(join(folder, 'bytes.yaml'), Buffer.from([0xff, 0xfe, 0x00]));
    await write('huge.yaml', `# ${'x'.repeat(1024 * 1024)}`);
    await write('keys.yaml', 'name: a\nname: b\n');
    await symlink('loop.yaml', join(folder, 'loop.yaml'));
    await mkdir(join(folder, 'folder.yaml'));
    await write('skillyard.yaml', 'models: {}\n');
    const store = await open();
    expect(codes(store)).toEqual([
      'FILE_UNREADABLE bytes.yaml',
      'SKILL_TOO_LARGE huge.yaml',
      'SKILL_DUPLICATE_KEY keys.yaml',
      'FILE_UNREADABLE loop.yaml',
      'SKILL_NAME_TWICE twice.yaml',
    ]);
    expect(store.get('good')?.version).toBe('1.0.0');
  });

  it('is not held up by pipes, and takes neither aliases that grow nor depth without end', async () => {
    execFileSync('sh', ['-c', 'mkfifo "$0"', join(folder, 'pipe.yaml')]);
    const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]'];
    for (let level = 1; level < 12; level += 1) {
      const before = String.fromCodePoint(96 + level);
      const name = String.fromCodePoint(97 + level);
      bomb.push(`${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(', ')}]`);
    }
    await write('bomb.yaml', bomb.join('\n'));
    await write('deep.yaml', `name: ${'['.repeat(100_000)}`);
    await write('Logs.yaml', skillText('logs', '2.0.0'));
    await write('logs.yaml', skillText('logs', '1.0.0'));
    const store = await open();
    expect(codes(store).map((one) => one.split(' ')[1])).toEqual(['bomb.yaml', 'deep.yaml', 'logs.yaml']);
    expect(store.get('logs')?.file).toBe('Logs.yaml');
  });

  it('looks at 10,000 entries of a folder and says that there are more', async () => {
    for (let index = 0; index <= 10_000; index += 1) {
      writeFileSync(join(folder, `${index}.txt`), '');
    }
    expect(codes(await open())).toEqual([`FOLDER_TOO_LARGE ${folder}`]);
  });

  it('stops at so many bytes of skills and says at which file', async () => {
    const text = skillText('a', '1.0.0');
    await write('a.yaml', text);
    await write('b.yaml', skillText('b', '1.0.0'));
    await write('c.yaml', skillText('c', '1.0.0'));
    // Nothing is kept of a file that is no skill.
    await write('0.yaml', `# ${'x'.repeat(text.length * 3)}`);
    const maxBytes = Buffer.byteLength(text) * 2;
    const store = await SkillStore.open({ folders: [folder], settleMs: 20, maxBytes });
    expect(store.names()).toEqual(['a', 'b']);
    expect(codes(store)).toContain('FOLDER_TOO_LARGE c.yaml');
    await rm(join(folder, 'a.yaml'));
    await store.refresh();
    expect(store.names()).toEqual(['b', 'c']);
  });

  it('says that a folder is not there', async () => {
    const store = await SkillStore.open({ folders: [join(folder, 'gone')] });
    expect(codes(store)).toEqual([`FILE_UNREADABLE ${join(folder, 'gone')}`]);
  });
});

/** Collects versions as they become current. */
class Changes {
  readonly #seen: SkillVersion[] = [];
  #wake = (): void => {};

  readonly note = (version: SkillVersion): void => {
    this.#seen.push(version);
    this.#wake();
  };

  get last(): SkillVersion | undefined {
    return this.#seen.at(-1);
  }

  async until(name: string, version: string): Promise<SkillVersion> {
    for (;;) {
      const found = this.#seen.find((one) => one.name === name && one.version === version);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

describe('a watched SkillStore', () => {
  it('follows new, changed and replaced files, also in new folders', async () => {
    const changes = new Changes();
    const store = await open();
    const watching = store.watch(changes.note);
    try {
      await writeFile(join(folder, 'a.yaml'), skillText('a', '1.0.0'));
      await changes.until('a', '1.0.0');
      await writeFile(join(folder, 'a.yaml'), skillText('a', '1.1.0'));
      await changes.until('a', '1.1.0');
      await mkdir(join(folder, 'b'));
      await writeFile(join(folder, 'b', 'skill.yaml'), skillText('b', '1.0.0'));
      await changes.until('b', '1.0.0');
      await writeFile(join(folder, 'b', 'skill.yaml'), skillText('b', '2.0.0'));
      await changes.until('b', '2.0.0');
      await store.rollback('b', { version: '1.0.0' });
      expect(changes.last).toMatchObject({ name: 'b', version: '1.0.0' });
      expect(store.names()).toEqual(['a', 'b']);
    } finally {
      watching.close();
    }
  });

  it('never takes a file that is half written', async () => {
    const changes = new Changes();
    await write('a.yaml', skillText('a', '1.0.0'));
    const seen: string[] = [];
    let isWriting = true;
    const now = (): number => (isWriting ? statSync(join(folder, 'a.yaml')).mtimeMs : Number.MAX_VALUE);
    const store = await SkillStore.open({ folders: [folder], settleMs: 20, now });
    const watching = store.watch((version) => {
      seen.push(version.version);
      changes.note(version);
    });
    try {
      const path = join(folder, 'a.yaml');
      const [head = '', ...rest] = skillText('a', '3.0.0').split('\n');
      await writeFile(path, `${head}\n`);
      for (const line of rest) {
        await appendFile(path, `${line}\n`);
        await store.refresh();
        expect(store.get('a')?.version).toBe('1.0.0');
      }
      isWriting = false;
      await changes.until('a', '3.0.0');
      expect(seen).toEqual(['3.0.0']);
    } finally {
      watching.close();
    }
  });
});
