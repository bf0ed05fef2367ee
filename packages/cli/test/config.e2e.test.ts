import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkplace, type Workplace } from './cli-process.ts';

describe('config check', () => {
  let place: Workplace;

  beforeAll(async () => {
    place = await openWorkplace();
    await place.write({
      'skillyard.yaml':
        'models: {m: {provider: openai, model: x, api_key_env: SOME_KEY}}\nskills: [none]\nagent_skills: {paths: [gone]}\nhttp: {port: 7310}\ncommands: {allow: [ls meters, cat meters/*]}\n',
      'wrong.yaml': 'http:\n  prot: 1\n',
      'guarded.yaml': 'servers: {files: {command: x}}\npolicy: policy.yaml\n',
      'policy.yaml': 'roles:\n  reader: {allow: [files], deny: [fils:write]}\n',
    });
  });
  afterAll(() => place.remove());

  it('says what it comes to, and what it names that is not there', async () => {
    const run = await place.run(['config', 'check'], {});
    expect(run.stdout).toMatch(/^skillyard\.yaml is valid/);
    expect(run.stdout).toMatch(/models {3}m\n/);
    expect(run.stdout).toContain('commands ls meters | cat meters/*\n');
    expect(run.stdout).toMatch(/api {6}http:\/\/127\.0\.0\.1:7310/);
    expect(run.stdout).toMatch(/models\.m\.api_key_env names SOME_KEY, which is not set here/);
    expect(run.stdout).toMatch(/skills .*none is not there/);
    expect(run.stdout).toMatch(/agent_skills\.paths .*gone is not there/);
    expect(run.code).toBe(0);
  });

  it('fails with --strict only', async () => {
    const run = await place.run(['config', 'check', '--strict', '--json'], { SOME_KEY: 'k' });
    expect(JSON.parse(run.stdout)).toMatchObject({
      models: ['m'],
      remarks: [{ key: 'skills' }, { key: 'agent_skills.paths' }],
    });
    expect(run.code).toBe(1);
  });

  it('names the key and the place of a mistake', async () => {
    const run = await place.run(['config', 'check', 'wrong.yaml'], {});
    expect(run.stderr).toMatch(
      /CONFIG_INVALID: wrong\.yaml:2:3: unknown key `prot` in http; did you mean `port`\?/,
    );
    expect(run.code).toBe(2);
  });

  it('looks into the policy, too', async () => {
    const run = await place.run(['config', 'check', 'guarded.yaml'], {});
    expect(run.stderr).toMatch(/CONFIG_INVALID: .*policy\.yaml:2:.*fils/);
    expect(run.code).toBe(2);
  });
});
