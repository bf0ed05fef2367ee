import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SKILL_SCHEMAS } from '@skillyard/contracts';
import { spawnNode } from '@skillyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { openWorkplace, skill, type Workplace } from './cli-process.ts';

let place: Workplace;
beforeEach(async () => {
  place = await openWorkplace();
});
afterEach(() => place.remove());

describe('skillyard schema', () => {
  it.each(['en', 'ru'] as const)(
    'prints the schema (%s) as YAML, and as JSON with --json',
    async (language) => {
      const yaml = await place.run(['schema', '--lang', language]);
      const json = await place.run(['schema', '--lang', language, '--json']);
      expect([yaml.code, json.code]).toEqual([0, 0]);
      expect(parse(yaml.stdout)).toEqual(SKILL_SCHEMAS[language]);
      expect(JSON.parse(json.stdout)).toEqual(SKILL_SCHEMAS[language]);
    },
  );

  it('prints a summary for a prompt', async () => {
    const text = await place.run(['schema', '--summary', '--lang', 'ru']);
    const json = await place.run(['schema', '--summary', '--lang', 'ru', '--json']);
    expect(text.stdout).toMatch(/^- instruction: .*модели/m);
    expect(JSON.parse(json.stdout)).toEqual({
      language: 'ru',
      bytes: Buffer.byteLength(text.stdout),
      summary: text.stdout,
    });
  });

  it('writes a file, and says the line by which an editor finds it', async () => {
    const run = await place.run(['schema', '--write', 'skill.schema.json']);
    expect(run).toMatchObject({
      code: 0,
      stdout: '# yaml-language-server: $schema=skill.schema.json\n',
    });
    const file = join(place.folder, 'skill.schema.json');
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(SKILL_SCHEMAS.en);
    await place.write({ 'skill.yaml': run.stdout + skill([{ set: { var: 'answer', value: 'hello' } }]) });
    expect(await place.run(['validate', 'skill.yaml'])).toMatchObject({ code: 0 });
    // An older schema is replaced.
    await place.write({
      'skill.schema.yaml':
        '$schema: https://json-schema.org/draft/2020-12/schema\ntitle: Skillyard skill file\n',
    });
    expect(await place.run(['schema', '--write', 'skill.schema.yaml', '--lang', 'ru'])).toMatchObject({
      code: 0,
    });
    expect(parse(await readFile(join(place.folder, 'skill.schema.yaml'), 'utf8'))).toEqual(SKILL_SCHEMAS.ru);
  });

  it('refuses what it cannot do with exit code 2', async () => {
    const foreign = '{"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Orders"}';
    await place.write({ 'skill.yaml': 'name: precious\n', 'orders.json': foreign });
    execFileSync('sh', ['-c', 'mkfifo "$0"', join(place.folder, 'pipe')]);
    const refusals: [args: string[], message: RegExp][] = [
      [['--write', 'skill.yaml'], /skill\.yaml exists and is no schema/],
      [['--write', 'orders.json'], /orders\.json exists and is no schema of skill files/],
      [['--write', 'pipe'], /pipe exists and is no schema of skill files/],
      [['--write', '.'], /exists and is no schema of skill files/],
      [
        ['--write', 'missing/skill.schema.json'],
        /error FILE_UNWRITABLE: missing.*cannot be written: .*check that its folder exists/,
      ],
      [['--lang', 'de'], /--lang "de" is unknown; write one of: en, ru/],
      [['--summary', '--write', 'a.json'], /--summary is printed only/],
      [['--json', '--yaml'], /exclude each other/],
    ];
    for (const [args, message] of refusals) {
      const run = await place.run(['schema', ...args]);
      expect(run).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
    }
    expect(await readFile(join(place.folder, 'skill.yaml'), 'utf8')).toBe('name: precious\n');
  });
});

describe('generated sources', () => {
  it('are what their YAML and Markdown say', async () => {
    const root = new URL('../../../', import.meta.url);
    const script = new URL('scripts/generate.mjs', root).pathname;
    const check = spawnNode(script, ['--check'], { cwd: root.pathname, env: {} });
    const { code } = await check.exited;
    expect({ code, stderr: check.stderr() }).toEqual({ code: 0, stderr: '' });
  });
});
