import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorkplace, type Workplace } from './cli-process.ts';

let place: Workplace;
beforeEach(async () => {
  place = await openWorkplace();
});
afterEach(() => place.remove());

const text = (name: string, fields = ''): string =>
  `---\nname: ${name}\ndescription: Does ${name}.\n${fields}---\nBody of ${name}.\n`;

describe('skillyard skills', () => {
  it('lists what an agent gets by the configuration, and says what was left out', async () => {
    await place.write({
      'skillyard.yaml': 'agent_skills:\n  enable_default_skills: true\n  paths: [skills]\n',
      'skills/pay/SKILL.md': text('pay', 'tags: money out\n'),
      'skills/.clerk/file/SKILL.md': text('file'),
      'skills/bad/SKILL.md': '---\ndescription: Use when: asked\n---\n',
    });
    const all = await place.run(['skills', 'list']);
    expect(all).toMatchObject({ code: 0, stdout: expect.stringMatching(/^pay +money out +Does pay\.$/m) });
    expect(all.stderr).toMatch(/skills\/bad\/SKILL\.md:2:14: error FRONT_MATTER_YAML: .*\n +hint: .*quotes/);
    expect(all.stderr).toContain('agents with skills of their own: clerk');

    const clerk = await place.run(['skills', 'list', '--agent', 'clerk', '--json']);
    expect(JSON.parse(clerk.stdout)).toMatchObject({
      agent: 'clerk',
      agents: ['clerk', 'default'],
      skills: [{ name: 'file', location: '/.clerk/file' }, { name: 'pay' }],
      diagnostics: [{ code: 'FRONT_MATTER_YAML', file: join('skills', 'bad', 'SKILL.md') }],
    });
    const tagged = await place.run([
      'skills',
      'list',
      '--agent',
      'clerk',
      '--tag',
      'out',
      '--tag',
      'money',
      '--json',
    ]);
    expect(JSON.parse(tagged.stdout)).toMatchObject({ skills: [{ name: 'pay' }] });

    const strict = await place.run(['skills', 'list', '--strict']);
    expect(strict).toMatchObject({ code: 2, stdout: '' });
    expect(strict.stderr).toMatch(/SKILL_INVALID.*skills\/bad\/SKILL\.md:2:14/);
  });

  it('without a configuration looks into the standard folders', async () => {
    await place.write({
      '.agents/skills/here/SKILL.md': text('here'),
      'home/.agents/skills/there/SKILL.md': text('there'),
    });
    const run = await place.run(['skills', 'list', '--json'], { HOME: join(place.folder, 'home') });
    expect(JSON.parse(run.stdout)).toMatchObject({ skills: [{ name: 'here' }, { name: 'there' }] });
  });

  it('shows a skill with its files, and knows what was probably meant', async () => {
    await place.write({
      'skills/pay/SKILL.md': text('pay', 'license: MIT\nmetadata:\n  author: me\n'),
      'skills/pay/references/rates.md': '',
    });
    const shown = await place.run(['skills', 'show', 'pay', '--path', 'skills']);
    expect(shown.code).toBe(0);
    for (const part of ['license: MIT', 'author: me', 'files: references/rates.md', '\n\nBody of pay.\n']) {
      expect(shown.stdout).toContain(part);
    }
    const json = await place.run(['skills', 'show', 'pay', '--path', 'skills', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ body: 'Body of pay.', files: ['references/rates.md'] });
    const wrong = await place.run(['skills', 'show', 'pya', '--path', 'skills']);
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringMatching(/SKILL_NOT_FOUND: .*"pya".*pay/) });
  });

  it('validates skill folders by the open standard', async () => {
    await place.write({
      'skills/good/SKILL.md': text('good'),
      'skills/.clerk/Bad/SKILL.md': text('Bad', 'tags: a\n'),
    });
    const good = await place.run(['skills', 'validate', 'skills/good/SKILL.md']);
    expect(good).toMatchObject({ code: 0, stdout: '1 skill checked, no errors\n' });
    const both = await place.run(['skills', 'validate', 'skills']);
    expect(both).toMatchObject({ code: 2, stdout: expect.stringContaining('2 skills checked, 1 refused\n') });
    expect(both.stdout).toContain('skills/.clerk/Bad/SKILL.md:2:1: error SKILL_NAME_RULES');
    const json = await place.run(['skills', 'validate', 'skills', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      valid: false,
      skills: [
        { diagnostics: [{ code: 'FRONT_MATTER_FIELD_UNKNOWN' }, { code: 'SKILL_NAME_RULES' }] },
        { folder: join('skills', 'good'), diagnostics: [] },
      ],
    });
    expect(await place.run(['skills', 'validate', 'nowhere'])).toMatchObject({ code: 2 });
    expect(await place.run(['skills', 'validate', '.'])).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('SKILL_FILE_MISSING'),
    });
  });

  it('refuses an archive that is none, naming it', async () => {
    await place.write({ 'skills.tar.gz': 'nonsense' });
    const run = await place.run(['skills', 'list', '--path', 'skills.tar.gz', '--json']);
    expect(run.code).toBe(2);
    expect(JSON.parse(run.stdout)).toMatchObject({
      error: { code: 'FILE_UNREADABLE', details: { file: 'skills.tar.gz' } },
    });
  });
});
