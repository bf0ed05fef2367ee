import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  API_ROUTES,
  type ApiOperation,
  type ApiRoute,
  type ApiScope,
  type CreatedApiKey,
  type QuestionPage,
  type TurnResource,
} from '@skillyard/contracts';
import { ApiKeys } from '@skillyard/queue';
import { type RedisServer, startRedis, until } from '@skillyard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { skillOf } from './cluster.ts';
import { type CallOptions, type HttpRig, startHttpRig } from './http-rig.ts';

const redis: RedisServer | undefined = await startRedis();

const FAILING = skillOf('- {name: pay, call: {tool: "mill:pay"}}');
const ASKING = skillOf('- {name: wait, ask: {question: "acme?"}}').replace('"2.4.1"', '"2.5.0"');
const UPLOADED = skillOf('- {name: answer, instruction: "Say acme-words."}').replace(
  'test-skill',
  'acme-skill',
);

/** What is answered with a problem to a caller of another tenant, as if it were not there. */
const HIDDEN: Partial<Record<ApiOperation, string>> = {
  getTurn: 'TURN_NOT_FOUND',
  watchTurn: 'TURN_NOT_FOUND',
  listTurnJobs: 'TURN_NOT_FOUND',
  getTurnSkill: 'TURN_NOT_FOUND',
  explainTurn: 'TURN_NOT_FOUND',
  cancelTurn: 'TURN_NOT_FOUND',
  listTurnQuestions: 'TURN_NOT_FOUND',
  answerQuestion: 'TURN_NOT_FOUND',
  inspectJob: 'JOB_NOT_FOUND',
  redriveJob: 'JOB_NOT_FOUND',
  resolveJob: 'JOB_NOT_FOUND',
  getSkill: 'SKILL_NOT_FOUND',
  listSkillVersions: 'SKILL_NOT_FOUND',
  deleteSkill: 'SKILL_NOT_FOUND',
  deleteSchedule: 'SCHEDULE_NOT_FOUND',
  revokeKey: 'KEY_NOT_FOUND',
};
/** What answers, and must hold nothing of another tenant. */
const LISTS = [
  'listTurns',
  'listQuestions',
  'listFailedJobs',
  'redriveClass',
  'listQueues',
  'listSkills',
  'listSchedules',
  'getCaller',
  'listKeys',
  'listAudit',
] as const satisfies readonly ApiOperation[];
/** What makes something, or is for the whole installation: tests of their own. */
const OTHERS = [
  'submitTurn',
  'uploadSkill',
  'checkSkill',
  'putSchedule',
  'createKey',
  'pauseQueue',
  'resumeQueue',
] as const satisfies readonly ApiOperation[];

/** What is sent where nothing would be refused for that alone. */
const CONTENTS: Partial<Record<ApiOperation, object>> = {
  resolveJob: { rerun: true },
  answerQuestion: { answers: ['yes'] },
};

describe.skipIf(redis === undefined)('what belongs to a tenant', () => {
  let rig: HttpRig;
  let acme: string;
  let zoo: string;
  /** What the tenant `acme` has. */
  let params: Record<string, string>;

  beforeAll(async () => {
    rig = await startHttpRig(redis!.url, () => ({ text: 'done' }));
    acme = await rig.key('acme');
    zoo = await rig.key('zoo');
    const turn = await rig.call<TurnResource>('submitTurn', {
      key: acme,
      body: { skill: { text: FAILING }, labels: { of: 'acme' } },
    });
    const { key } = await rig.call<CreatedApiKey>('createKey', {
      key: acme,
      body: { name: 'acme-key', scopes: ['read'] },
    });
    await rig.call('uploadSkill', { key: acme, body: { text: UPLOADED } });
    await rig.call('submitTurn', { key: acme, body: { skill: { text: ASKING }, labels: { of: 'acme' } } });
    await until(
      async () => (await rig.call<QuestionPage>('listQuestions', { key: acme })).questions.length === 1,
      10_000,
      'the question',
    );
    params = {
      turnId: turn.turnId,
      jobId: `${turn.turnId}.0.c`,
      keyId: key.keyId,
      name: 'acme-skill',
      scheduleId: 'acme-nightly',
      class: 'orchestrator',
    };
    await rig.call('putSchedule', {
      key: acme,
      params,
      body: { cron: '0 3 * * *', turn: { skill: { name: 'acme-skill' } } },
    });
    // No such server is configured: the orchestrator answers the call with a failure.
    await until(
      async () => (await rig.fetch('inspectJob', { key: acme, params })).status === 200,
      10_000,
      'the failed job',
    );
  });
  afterAll(async () => {
    await rig.stop();
    await redis?.stop();
  });

  const optionsOf = (operation: ApiOperation): CallOptions => {
    const { method, body }: ApiRoute = API_ROUTES[operation];
    const content = CONTENTS[operation] ?? {};
    return { params, ...(method === 'POST' && body !== undefined && { body: content }) };
  };

  it('is covered by a test for every operation that there is', () => {
    const covered = [...Object.keys(HIDDEN), ...LISTS, ...OTHERS];
    expect(covered.toSorted()).toEqual(Object.keys(API_ROUTES).toSorted());
  });

  // First of all: what somebody tries later is in their own audit log.
  it.each(LISTS)('is in no list of another tenant: %s', async (operation) => {
    const mine = JSON.stringify(await rig.call(operation, { ...optionsOf(operation), key: zoo }));
    expect(mine).not.toMatch(/acme/);
    expect(mine).not.toContain(params['turnId']);
    expect(mine).not.toContain(params['keyId']);
  });

  it.each(Object.entries(HIDDEN) as [ApiOperation, string][])(
    'is not there for another tenant: %s answers %s',
    async (operation, code) => {
      const problem = await rig.refused(operation, { ...optionsOf(operation), key: zoo });
      expect(problem).toMatchObject({ status: 404, code });
    },
  );

  it('is not reached by naming the tenant', async () => {
    const listed = await rig.fetch('listTurns', { key: zoo, query: '?tenant=acme' });
    expect(await listed.text()).not.toContain(params['turnId']);
    const skill = { text: FAILING };
    for (const body of [{ skill, tenant: 'acme' }, { skill: { name: 'acme-skill' } }]) {
      const { status } = await rig.refused('submitTurn', { key: zoo, body });
      expect([403, 404]).toContain(status);
    }
    for (const operation of ['listSchedules', 'deleteSchedule'] as const) {
      const refusal = await rig.refused(operation, { key: zoo, params, query: '?tenant=acme' });
      expect(refusal).toMatchObject({ code: 'FORBIDDEN' });
    }
    for (const tenant of ['acme', '*']) {
      const body = { name: 'x', scopes: ['read'], tenant };
      expect(await rig.refused('createKey', { key: zoo, body })).toMatchObject({ code: 'FORBIDDEN' });
    }
  });

  it('is not changed by another tenant that has something of the same name', async () => {
    const before = await rig.call('listSchedules', { key: acme });
    await rig.call('putSchedule', {
      key: zoo,
      params,
      body: { cron: '0 4 * * *', turn: { skill: { text: FAILING } } },
    });
    await rig.call('deleteSchedule', { key: zoo, params });
    expect(await rig.call('listSchedules', { key: acme })).toEqual(before);
    const skill = await rig.call('getSkill', { key: acme, params });
    await rig.call('uploadSkill', {
      key: zoo,
      body: { text: UPLOADED.replace('acme-words', 'other words') },
    });
    expect(await rig.call('getSkill', { key: acme, params })).toEqual(skill);
    const body = { skill: { text: FAILING }, input: 'zoo' };
    const headers = { 'idempotency-key': 'same' };
    const one = await rig.call<TurnResource>('submitTurn', { key: acme, body, headers });
    const other = await rig.call<TurnResource>('submitTurn', { key: zoo, body, headers });
    expect(other.turnId).not.toBe(one.turnId);
  });

  it('is there for who acts for all tenants', async () => {
    expect(await rig.call('getTurn', { params })).toMatchObject({ tenant: 'acme' });
    await rig.call('inspectJob', { params });
    expect(JSON.stringify(await rig.call('listKeys'))).toContain(params['keyId']);
    expect(JSON.stringify(await rig.call('listAudit'))).toContain('acme-nightly');
    const query = '?tenant=acme';
    expect(JSON.stringify(await rig.call('listSchedules', { query }))).toContain('acme-nightly');
    await rig.refused('deleteSchedule', { params });
    await rig.call('deleteSchedule', { params, query });
  });

  it('is noted in the audit log of the tenant, refusals by the handler included', async () => {
    const keyId = 'nobodys';
    await rig.call('cancelTurn', { key: acme, params, body: {} });
    await rig.refused('revokeKey', { key: acme, params: { keyId } });
    const { entries } = await rig.call<{ entries: { operation: string; target: string; status: number }[] }>(
      'listAudit',
      { key: acme },
    );
    expect(entries[0]).toMatchObject({ operation: 'revokeKey', target: keyId, status: 404, tenant: 'acme' });
    expect(entries.map(({ operation }) => operation)).toEqual(
      expect.arrayContaining(['createKey', 'uploadSkill', 'putSchedule', 'cancelTurn']),
    );
  });
});

describe.skipIf(redis === undefined)('the policy', () => {
  it('refuses a submission, a schedule and a key with the roles of the caller', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'skillyard-policy-'));
    const file = join(folder, 'policy.yaml');
    await writeFile(
      file,
      'roles: {baker: {allow: [oven]}, miller: {allow: [mill]}}\ndefault_roles: [baker]\n',
    );
    const server = await startRedis();
    const url = 'http://127.0.0.1:1/mcp';
    const rig = await startHttpRig(server!.url, () => ({}), {
      policy: file,
      servers: { mill: { url }, oven: { url } },
    });
    try {
      const keys = new ApiKeys(rig.cluster.connection);
      const scopes: ApiScope[] = ['submit', 'read', 'admin'];
      const { secret: miller } = await keys.create({ name: 'm', scopes, roles: ['miller'] }, 'test');
      const { secret: nobody } = await keys.create({ name: 'n', scopes }, 'test');
      const body = { skill: { text: FAILING } };
      for (const key of [nobody, await rig.key('acme')])
        expect(await rig.refused('submitTurn', { key, body })).toMatchObject({
          status: 403,
          code: 'POLICY_DENIED',
          detail: expect.stringMatching(/^line 7, "pay": .*callers without a role reach mill:pay/) as string,
        });
      const schedule = { params: { scheduleId: 's' }, body: { cron: '0 3 * * *', turn: body } };
      expect(await rig.refused('putSchedule', { key: nobody, ...schedule })).toMatchObject({
        code: 'POLICY_DENIED',
      });
      await rig.call('submitTurn', { key: miller, body });
      await rig.call('putSchedule', { key: miller, ...schedule });
      const given = { name: 'x', scopes: ['read'], roles: ['miller'] };
      expect(await rig.refused('createKey', { key: nobody, body: given })).toMatchObject({
        code: 'FORBIDDEN',
      });
      const made = await rig.call<CreatedApiKey>('createKey', {
        key: miller,
        body: { name: 'x', scopes: ['read'] },
      });
      expect(made.key.roles).toEqual(['miller']);
    } finally {
      await rig.stop();
      await server?.stop();
      await rm(folder, { recursive: true });
    }
  });
});

describe.skipIf(redis === undefined)('nobody gives more than they have', () => {
  it('neither scopes nor roles', async () => {
    const server = await startRedis();
    const rig = await startHttpRig(server!.url, () => ({}));
    try {
      const admin = await rig.key('acme', ['admin', 'read']);
      const body = { name: 'x', scopes: ['submit'] };
      expect(await rig.refused('createKey', { key: admin, body })).toMatchObject({ code: 'FORBIDDEN' });
      const asBaker = { name: 'x', scopes: ['read'], roles: ['baker'] };
      expect(await rig.refused('createKey', { key: admin, body: asBaker })).toMatchObject({
        code: 'FORBIDDEN',
        detail: expect.stringContaining('the role "baker"') as string,
      });
      const made = await rig.call<CreatedApiKey>('createKey', {
        key: admin,
        body: { name: 'x', scopes: ['read'] },
      });
      expect(made.key).toMatchObject({ tenant: 'acme', scopes: ['read'], roles: [] });
      expect(await rig.refused('createKey', { key: made.secret, body })).toMatchObject({ code: 'FORBIDDEN' });
    } finally {
      await rig.stop();
      await server?.stop();
    }
  });
});
