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

describe('createSkillFinder', () => {
  it('finds a skill by its header, not by its file name', async () => {
    await writeFile(join(folder, 'collect.yaml'), 'name: logs\n');
    expect(await createSkillFinder([folder]).find('logs')).toBe(join(folder, 'collect.yaml'));
  });

  it('finds a skill in a folder of its own', async () => {
    await mkdir(join(folder, 'logs'));
    await mkdir(join(folder, 'empty'));
    await writeFile(join(folder, 'logs', 'skill.yaml'), 'name: logs\n');
    expect(await createSkillFinder([folder]).find('logs')).toBe(join(folder, 'logs', 'skill.yaml'));
    await expect(createSkillFinder([folder]).find('empty')).rejects.toMatchObject({
      code: 'SKILL_NOT_FOUND',
    });
  });

  it('takes the folder given first when two have the name', async () => {
    const other = join(folder, 'other');
    await mkdir(other);
    await writeFile(join(other, 'a.yaml'), 'name: logs\n');
    await writeFile(join(folder, 'a.yaml'), 'name: logs\n');
    expect(await createSkillFinder([other, folder]).find('logs')).toBe(join(other, 'a.yaml'));
  });

  it('knows the names of all skills, each once', async () => {
    await writeFile(join(folder, 'a.yaml'), 'name: logs\n');
    await writeFile(join(folder, 'b.yaml'), 'name: logs\n');
    await writeFile(join(folder, 'c.yaml'), 'name: [\n');
    expect(await createSkillFinder([folder]).names()).toEqual(['logs', 'c']);
  });

  it('keeps the file name of a file that is broken', async () => {
    await writeFile(join(folder, 'logs.yaml'), 'name: [\n');
    expect(await createSkillFinder([folder]).find('logs')).toBe(join(folder, 'logs.yaml'));
  });

  it('refuses with SKILL_NOT_FOUND and says what is there', async () => {
    await writeFile(join(folder, 'a.yaml'), 'name: logs\n');
    await writeFile(join(folder, 'skillyard.yaml'), 'name: config\n');
    await expect(createSkillFinder([folder]).find('lgos')).rejects.toMatchObject({
      code: 'SKILL_NOT_FOUND',
      message: `there is no skill "lgos" in ${folder}; did you mean \`logs\`?`,
    });
  });
});
