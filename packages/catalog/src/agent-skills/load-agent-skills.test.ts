import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { AgentSkillsConfig } from '@skillyard/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentSkills } from './agent-skills.ts';
import { LIMITS } from './limits.ts';
import { loadAgentSkills } from './load-agent-skills.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skillyard-skills-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function write(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), content);
}

function skillText(name: string, fields = ''): string {
  return `---\nname: ${name}\ndescription: Does ${name}.\n${fields}---\nBody of ${name}.\n`;
}

function load(config: AgentSkillsConfig = {}): Promise<AgentSkills> {
  const all = { enable_default_skills: true, paths: ['skills'], ...config };
  return loadAgentSkills(all, { cwd: folder, home: join(folder, 'home') });
}

const names = (loaded: AgentSkills, agent = ''): string[] => loaded.skills(agent).map(({ name }) => name);
const told = (loaded: AgentSkills): string[] =>
  loaded.diagnostics.map(({ severity, code, file }) => `${severity} ${code} ${file ?? ''}`);

/** A good skill stands beside the bad one: it has to be loaded in any case. */
async function beside(path: string, content: string | Uint8Array): Promise<AgentSkills> {
  await write('skills/good/SKILL.md', skillText('good'));
  await write(path, content);
  const loaded = await load();
  expect(names(loaded)).toContain('good');
  return loaded;
}

describe('a skill that cannot be read is left out, named by its file, and the others are loaded', () => {
  it.each<[string, string | Uint8Array, string]>([
    [
      'text that is not UTF-8',
      Buffer.from('---\nname: bad\ndescription: \xff\n---\n', 'latin1'),
      'SKILL_FILE_NOT_UTF8',
    ],
    ['a file over the limit', 'x'.repeat(LIMITS.skillBytes + 1), 'SKILL_FILE_TOO_LARGE'],
    [
      'huge front matter',
      skillText('bad', `x: ${'y'.repeat(LIMITS.frontMatterChars)}\n`),
      'FRONT_MATTER_TOO_LARGE',
    ],
    ['a key that stands twice', skillText('bad', 'name: again\n'), 'FRONT_MATTER_DUPLICATE_KEY'],
    [
      'a key that stands twice in a mapping',
      skillText('bad', 'metadata:\n  a: 1\n  a: 2\n'),
      'FRONT_MATTER_DUPLICATE_KEY',
    ],
    ['an unquoted colon', '---\ndescription: Use when: asked\n---\n', 'FRONT_MATTER_YAML'],
    ['brackets nested by the thousand', skillText('bad', `x: ${'['.repeat(30_000)}\n`), 'FRONT_MATTER_YAML'],
    ['a list for a text', skillText('bad', 'tags: [a]\n'), 'FRONT_MATTER_FIELD_TYPE'],
    ['a text for a mapping', skillText('bad', 'metadata: a\n'), 'FRONT_MATTER_FIELD_TYPE'],
    [
      'too much metadata',
      skillText('bad', `metadata:\n${Array.from({ length: 1001 }, (_, i) => `  k${i}: v\n`).join('')}`),
      'FRONT_MATTER_TOO_LARGE',
    ],
    ['no description', '---\nname: bad\n---\n', 'SKILL_DESCRIPTION_MISSING'],
    ['front matter that is a text', '---\nbad\n---\n', 'FRONT_MATTER_YAML'],
    ['an alias without an anchor', '---\ndescription: *gone\n---\n', 'FRONT_MATTER_FIELD_TYPE'],
  ])('%s', async (_, content, code) => {
    const loaded = await beside('skills/bad/SKILL.md', content);
    expect(names(loaded)).toEqual(['good']);
    expect(told(loaded)).toEqual([`error ${code} skills/bad/SKILL.md`]);
    expect(loaded.diagnostics[0]).toMatchObject({ message: expect.any(String), hint: expect.any(String) });
    const strict = load({ strict: true });
    await expect(strict).rejects.toMatchObject({
      code: 'SKILL_INVALID',
      details: { file: 'skills/bad/SKILL.md' },
    });
  });

  it('says where in the file an unquoted colon stands, and what to write', async () => {
    const loaded = await beside('skills/bad/SKILL.md', '---\nname: bad\ndescription: Use when: asked\n---\n');
    expect(loaded.diagnostics[0]).toMatchObject({
      position: { line: 3 },
      hint: expect.stringContaining('between quotes'),
    });
  });

  it('keeps what could take over a screen out of messages', async () => {
    await write('skills/bad/SKILL.md', `---\nname: "\\e[2J${'n'.repeat(9000)}"\ndescription: d\n---\n`);
    for (const { message, hint } of (await load()).diagnostics) {
      expect(message.length).toBeLessThan(500);
      // oxlint-disable-next-line no-control-regex
      expect(message + hint).not.toMatch(/\u001b/);
    }
  });

  it('takes aliases, within a bound of what they stand for', async () => {
    const loaded = await beside(
      'skills/b/SKILL.md',
      '---\nname: b\ndescription: &d Does b.\ntags: *d\n---\n',
    );
    expect(loaded.skills('')[0]).toMatchObject({ name: 'b', description: 'Does b.', tags: ['Does', 'b.'] });
    const anchors = Array.from({ length: 900 }, (_, i) => `  k${i}: *d\n`).join('');
    await write('skills/b/SKILL.md', `---\nname: b\ndescription: &d Does b.\nmetadata:\n${anchors}---\n`);
    expect(names(await load())).toEqual(['b', 'good']);
  });
});

describe('links', () => {
  it('a SKILL.md that leads out of its folder is not read', async () => {
    await write('secret.md', skillText('secret'));
    await write('skills/bad/other.md', '');
    await symlink('../../secret.md', join(folder, 'skills/bad/SKILL.md'));
    const loaded = await load();
    expect(names(loaded)).toEqual([]);
    expect(told(loaded)).toEqual(['error SKILL_FILE_OUTSIDE skills/bad/SKILL.md']);
  });

  it('a SKILL.md that leads to a file of its folder is read', async () => {
    await write('skills/fine/text.md', skillText('fine'));
    await symlink('text.md', join(folder, 'skills/fine/SKILL.md'));
    expect(names(await load())).toEqual(['fine']);
  });

  it('loops end: of agent folders, of skill folders, of a file to itself', async () => {
    await write('skills/good/SKILL.md', skillText('good'));
    await symlink('.', join(folder, 'skills/.self'));
    await symlink('..', join(folder, 'skills/.up'));
    await symlink('loop', join(folder, 'skills/loop'));
    await mkdir(join(folder, 'skills/eats-itself'));
    await symlink('SKILL.md', join(folder, 'skills/eats-itself/SKILL.md'));
    const loaded = await load();
    expect(names(loaded)).toEqual(['good']);
    expect(told(loaded).toSorted()).toEqual([
      'error SKILL_FILE_UNREADABLE skills/eats-itself/SKILL.md',
      'warning FOLDER_LOOP skills/.self',
      'warning FOLDER_LOOP skills/loop/SKILL.md',
    ]);
  });

  it('agent folders inside each other end at a depth', async () => {
    await write(`skills/${'.a/'.repeat(40)}deep/SKILL.md`, skillText('deep'));
    await write('skills/.a/.b/near/SKILL.md', skillText('near'));
    const loaded = await load();
    expect(names(loaded, 'b')).toEqual(['near']);
    expect(loaded.diagnostics).toMatchObject([{ code: 'FOLDER_TOO_DEEP' }]);
  });
});

describe('odd folders', () => {
  it('a pipe, a folder or nothing readable called SKILL.md is no skill and holds nothing up', async () => {
    await mkdir(join(folder, 'skills/pipe'), { recursive: true });
    execFileSync('sh', ['-c', 'mkfifo "$0"', join(folder, 'skills/pipe/SKILL.md')]);
    await mkdir(join(folder, 'skills/folder/SKILL.md'), { recursive: true });
    expect(names(await load())).toEqual([]);
  });

  it('a folder name that is not UTF-8 is skipped by name', async () => {
    await write('skills/good/SKILL.md', skillText('good'));
    await mkdir(Buffer.concat([Buffer.from(join(folder, 'skills/')), Buffer.from([0xff, 0xfe])]));
    const loaded = await load();
    expect(names(loaded)).toEqual(['good']);
    expect(told(loaded)).toEqual([expect.stringMatching(/^warning ENTRY_NAME skills\//)]);
  });

  it('names that differ by case are two skills, and told of', async () => {
    await write('skills/Pay/SKILL.md', skillText('Pay'));
    await write('skills/pay/SKILL.md', skillText('pay'));
    const loaded = await load();
    expect(names(loaded)).toEqual(['Pay', 'pay']);
    expect(told(loaded)).toEqual([
      'warning SKILL_NAME_RULES skills/Pay/SKILL.md',
      'warning SKILL_NAME_CASE skills/pay/SKILL.md',
    ]);
  });

  it('a folder with more entries than the limit is skipped and named', async () => {
    await write('skills/.big/good/SKILL.md', skillText('hidden'));
    for (let i = 0; i < LIMITS.folderEntries; i += 1) await writeFile(join(folder, `skills/.big/${i}`), '');
    await write('skills/good/SKILL.md', skillText('good'));
    const loaded = await load();
    expect(names(loaded, 'big')).toEqual(['good']);
    expect(told(loaded)).toEqual(['error FOLDER_TOO_LARGE skills/.big']);
  });

  it('.git and node_modules are not looked into', async () => {
    await write('skills/.git/hooks/SKILL.md', skillText('hooks'));
    await write('skills/node_modules/SKILL.md', skillText('modules'));
    expect((await load()).agents()).toEqual([]);
  });

  it('a search path that is missing holds nothing; one that is a file is refused', async () => {
    expect(names(await load({ paths: ['nowhere'] }))).toEqual([]);
    await write('file', '');
    await expect(load({ paths: ['file'] })).rejects.toMatchObject({
      code: 'FILE_UNREADABLE',
      details: { file: 'file' },
    });
    await expect(load({ paths: ['none.tar'] })).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
    await mkdir(join(folder, 'folder.tar'));
    await expect(load({ paths: ['folder.tar'] })).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
  });
});

describe('order', () => {
  it('a skill that hides another of its name is told of', async () => {
    await write('a/one/SKILL.md', skillText('same'));
    await write('b/two/SKILL.md', skillText('same'));
    const loaded = await load({ paths: ['a', 'b'] });
    expect(loaded.skills('')).toMatchObject([{ name: 'same', location: '/two' }]);
    expect(told(loaded)).toContain('warning SKILL_SHADOWED a/one/SKILL.md');
  });

  it('the last folder in the order of names wins, those of agents among them', async () => {
    await write('skills/.bot/in/SKILL.md', skillText('same'));
    await write('skills/-before/SKILL.md', skillText('same', 'agents: bot\n'));
    expect((await load()).skills('bot')).toMatchObject([{ location: '/.bot/in' }]);
    await write('skills/after/SKILL.md', skillText('same', 'agents: bot\n'));
    expect((await load()).skills('bot')).toMatchObject([{ location: '/after' }]);
  });

  it('with a client only its own standard folders are read, `~` is the home folder', async () => {
    await write('home/.agents/skills/plain/SKILL.md', skillText('plain'));
    await write('home/.agents/.acme/skills/own/SKILL.md', skillText('own'));
    await write('home/more/tilde/SKILL.md', skillText('tilde'));
    const config = { enable_default_skills: true, enable_standard_paths: true, paths: ['~/more'] };
    const place = { cwd: folder, home: join(folder, 'home') };
    const loaded = await loadAgentSkills(config, { ...place, client: 'acme' });
    expect(loaded.clientName).toBe('acme');
    expect(names(loaded)).toEqual(['own', 'tilde']);
    expect(names(await loadAgentSkills(config, place))).toEqual(['plain', 'tilde']);
  });
});
