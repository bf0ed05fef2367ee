import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  SkillCheck,
  SkillList,
  SkillResource,
  SkillSummary,
  SkillVersionList,
  TurnResource,
} from '@skillyard/contracts';
import { type RedisServer, startRedis, until } from '@skillyard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpRig, startHttpRig } from './http-rig.ts';

const redis: RedisServer | undefined = await startRedis();

/** A skill that says one word. */
function wordSkill(name: string, word: string, version = '1'): string {
  return `skill_engine_version: "2.4.1"
name: ${name}
description: Says ${word}.
skill_version: "${version}"
meta: {title: The word}
workflow:
  tools: []
  steps:
    - set: {var: answer, value: "${word} {{input}}"}
`;
}

describe.skipIf(redis === undefined)('skills over HTTP', () => {
  let rig: HttpRig;
  let folder: string;
  let ada: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'skillyard-skills-'));
    await writeFile(join(folder, 'shared.yaml'), wordSkill('shared', 'folder'));
    rig = await startHttpRig(redis!.url, () => ({}), { skills: [folder] });
    ada = await rig.key('ada');
  });
  afterAll(async () => {
    await rig.stop();
    await redis?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const upload = (text: string, key = ada): Promise<SkillSummary> =>
    rig.call('uploadSkill', { body: { text }, key });
  const answerOf = async (skill: object, key = ada): Promise<string | undefined> => {
    const body = { skill, input: 'there' };
    const { turnId } = await rig.call<TurnResource>('submitTurn', { body, key });
    const { outcome } = await until(
      async () => {
        const turn = await rig.call<TurnResource>('getTurn', { params: { turnId }, key });
        return turn.outcome === null ? undefined : turn;
      },
      10_000,
      `the end of ${turnId}`,
    );
    return outcome?.answer;
  };

  it('are those of the folders until the tenant uploads one of the name', async () => {
    const shared = { name: 'shared', title: 'The word', description: 'Says folder.', version: '1' };
    const { skills } = await rig.call<SkillList>('listSkills', { key: ada });
    expect(skills).toEqual([{ ...shared, origin: 'folder', hash: expect.any(String) }]);
    expect(await answerOf({ name: 'shared' })).toBe('folder there');

    await upload(wordSkill('shared', 'mine'));
    expect(await answerOf({ name: 'shared' })).toBe('mine there');

    const body = { skill: { name: 'shared', version: 'none' } };
    expect(await rig.refused('submitTurn', { body, key: ada })).toMatchObject({
      code: 'SKILL_NOT_FOUND',
      detail: expect.stringContaining('the newest are: 1'),
    });

    // Where the folders are is nobody's business.
    const unknown = await rig.refused('submitTurn', { body: { skill: { name: 'nowhere' } }, key: ada });
    expect(unknown.detail).toBe('there is no skill "nowhere"; GET /v1/skills lists those there are');

    const other = await rig.key('bob');
    expect(await answerOf({ name: 'shared' }, other)).toBe('folder there');
  });

  it('keep their versions, and run in the one that is asked for', async () => {
    const first = await upload(wordSkill('bell', 'ding', '1'));
    const second = await upload(wordSkill('bell', 'dong', '2'));
    const params = { name: 'bell' };
    const { versions } = await rig.call<SkillVersionList>('listSkillVersions', { params, key: ada });
    expect(versions.map(({ version, hash, current }) => ({ version, hash, current }))).toEqual([
      { version: '2', hash: second.hash, current: true },
      { version: '1', hash: first.hash, current: false },
    ]);
    expect(versions[0]?.by).toContain('key');
    expect(await answerOf({ name: 'bell' })).toBe('dong there');
    expect(await answerOf({ name: 'bell', version: '1' })).toBe('ding there');
    expect(await answerOf({ name: 'bell', version: first.hash })).toBe('ding there');

    await upload(wordSkill('bell', 'ding', '1'));
    expect(await answerOf({ name: 'bell' })).toBe('ding there');
    const again = await rig.call<SkillVersionList>('listSkillVersions', { params, key: ada });
    expect(again.versions.map(({ version }) => version)).toEqual(['1', '2']);
  });

  it('are deleted, and one of a folder is no longer hidden', async () => {
    const bob = await rig.key('bob');
    await upload(wordSkill('shared', 'mine'), bob);
    expect(await answerOf({ name: 'shared' }, bob)).toBe('mine there');
    const params = { name: 'shared' };
    await rig.call('deleteSkill', { params, key: bob });
    expect(await answerOf({ name: 'shared' }, bob)).toBe('folder there');
    expect(await rig.refused('deleteSkill', { params, key: bob })).toMatchObject({
      status: 404,
      code: 'SKILL_NOT_FOUND',
    });
  });

  it('are no burden for lists, whatever their authors write', async () => {
    const eve = await rig.key('eve');
    const text = wordSkill('long', 'x').replace('Says x.', 'x'.repeat(500_000));
    expect((await upload(text, eve)).description).toHaveLength(1000);
    const body = { text: wordSkill('long', 'x', '1'.repeat(101)) };
    expect(await rig.refused('uploadSkill', { body, key: eve })).toMatchObject({ code: 'INPUT_INVALID' });
    const params = { name: 'constructor' };
    expect(await rig.refused('getSkill', { params, key: eve })).toMatchObject({ status: 404 });
    await upload(wordSkill('constructor', 'I am'), eve);
    expect(await answerOf(params, eve)).toBe('I am there');
  });

  it('are shown with their source, their graph, and what they have to be given', async () => {
    const text = wordSkill('drawn', 'see');
    await upload(text);
    const skill = await rig.call<SkillResource>('getSkill', { params: { name: 'drawn' }, key: ada });
    expect(skill).toMatchObject({ name: 'drawn', text, file: 'drawn.yaml', vars: ['input'] });
    expect(skill.graph).toMatchObject({ nodes: [{ id: 'start' }, { kind: 'set' }, { id: 'end' }] });
  });

  it('are found by who delegates, in the tenant of the turn', async () => {
    await upload(wordSkill('helper', 'help'));
    const text = `skill_engine_version: "2.4.1"
name: asks
description: Asks another.
workflow:
  tools: []
  steps:
    - delegate: {skill: helper, task: "{{input}}", save_as: answer}
`;
    expect(await answerOf({ text })).toBe('help there');
  });

  it('are refused with every mistake, and change nothing', async () => {
    const text = wordSkill('broken', 'no').replace('set:', 'sett:');
    const problem = await rig.refused('uploadSkill', { body: { text }, key: ada });
    expect(problem).toMatchObject({ status: 400, code: 'SKILL_INVALID' });
    expect(problem.diagnostics?.[0]).toMatchObject({ severity: 'error', position: { line: 9 } });
    const params = { name: 'broken' };
    expect(await rig.refused('getSkill', { params, key: ada })).toMatchObject({ code: 'SKILL_NOT_FOUND' });
  });

  it('are refused above 1 MiB', async () => {
    const text = `${wordSkill('long', 'no')}# ${'x'.repeat(1024 * 1024)}\n`;
    for (const operation of ['uploadSkill', 'checkSkill'] as const)
      expect(await rig.refused(operation, { body: { text }, key: ada })).toMatchObject({
        status: 413,
        code: 'SKILL_TOO_LARGE',
      });
  });

  it('are checked without being run: mistakes, findings, and what they may do', async () => {
    const check = (text: string): Promise<SkillCheck> => rig.call('checkSkill', { body: { text }, key: ada });
    const good = await check(wordSkill('good', 'yes'));
    expect(good).toMatchObject({ accepted: true, diagnostics: [], preflight: { mode: 'workflow' } });

    const doubtful = await check(wordSkill('good', 'yes').replace('{{input}}', '{{inptu}}'));
    expect(doubtful.accepted).toBe(true);
    expect(doubtful.findings).toContainEqual(expect.objectContaining({ rule: 'W14', line: 9 }));

    const bad = await check('name: [');
    expect(bad).toMatchObject({ accepted: false, preflight: null });
    expect(bad.diagnostics.length).toBeGreaterThan(0);
  });
});
