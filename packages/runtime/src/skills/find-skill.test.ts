import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSkillFinder } from './find-skill.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skillyard-skills-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A skill, as short as it can be. */
function skillText(name: string, description = 'd'): string {
  return `skill_engine_version: "2.5.0"\nname: ${name}\ndescription: ${description}\nplaybook: p\n`;
}

describe('createSkillFinder', () => {
  it('finds a skill by its header, not by its file name', async () => {
    await writeFile(join(folder, 'collect.yaml'), skillText('logs'));
    expect((await createSkillFinder([folder]).read('logs')).path).toBe(join(folder, 'collect.yaml'));
  });

  it('finds a skill in a folder of its own', async () => {
    await mkdir(join(folder, 'logs'));
    await mkdir(join(folder, 'empty'));
    await writeFile(join(folder, 'logs', 'skill.yaml'), skillText('logs'));
    expect((await createSkillFinder([folder]).read('logs')).path).toBe(join(folder, 'logs', 'skill.yaml'));
    await expect(createSkillFinder([folder]).read('empty')).rejects.toMatchObject({
      code: 'SKILL_NOT_FOUND',
    });
  });

  it('takes the folder given first when two have the name', async () => {
    const other = join(folder, 'other');
    await mkdir(other);
    await writeFile(join(other, 'a.yaml'), skillText('logs'));
    await writeFile(join(folder, 'a.yaml'), skillText('logs'));
    expect((await createSkillFinder([other, folder]).read('logs')).path).toBe(join(other, 'a.yaml'));
  });

  it('knows the names of all skills, each once', async () => {
    await writeFile(join(folder, 'a.yaml'), skillText('logs'));
    await writeFile(join(folder, 'b.yaml'), skillText('logs'));
    await writeFile(join(folder, 'c.yaml'), 'name: [\n');
    expect(await createSkillFinder([folder]).names()).toEqual(['logs', 'c']);
  });

  it('refuses a file that is broken with SKILL_INVALID, under its file name', async () => {
    await writeFile(join(folder, 'logs.yaml'), 'name: [\n');
    await expect(createSkillFinder([folder]).read('logs')).rejects.toMatchObject({
      code: 'SKILL_INVALID',
      message: expect.stringMatching(/^skill "logs" is refused: logs\.yaml:\d+:\d+: /),
    });
  });

  it('gives what was there at the first question, whatever happens to the file', async () => {
    await writeFile(join(folder, 'a.yaml'), skillText('a'));
    const finder = createSkillFinder([folder]);
    const first = await finder.read('a');
    await writeFile(join(folder, 'a.yaml'), skillText('a', 'another'));
    expect(await finder.read('a')).toBe(first);
  });

  it('finds a skill that has just been written, where changes are followed', async () => {
    const finder = createSkillFinder([folder], 'followed');
    try {
      expect(await finder.names()).toEqual([]);
      await writeFile(join(folder, 'a.yaml'), skillText('a'));
      expect((await finder.read('a')).name).toBe('a');
    } finally {
      finder.close();
    }
  });

  it('says which folder cannot be read, with FILE_UNREADABLE', async () => {
    const finder = createSkillFinder([join(folder, 'gone')]);
    const refusal = { code: 'FILE_UNREADABLE', message: expect.stringContaining('Correct `skills`') };
    await expect(finder.read('a')).rejects.toMatchObject(refusal);
    await expect(finder.names()).rejects.toMatchObject(refusal);
  });

  it('refuses with SKILL_NOT_FOUND and says what is there', async () => {
    await writeFile(join(folder, 'a.yaml'), skillText('logs'));
    await writeFile(join(folder, 'skillyard.yaml'), skillText('config'));
    await expect(createSkillFinder([folder]).read('lgos')).rejects.toMatchObject({
      code: 'SKILL_NOT_FOUND',
      message: `there is no skill "lgos" in ${folder}; did you mean \`logs\`?`,
    });
  });
});
