import type { StepResult, TurnJobs, TurnPage, TurnResource } from '@skillyard/contracts';
import { type RedisServer, startRedis, until } from '@skillyard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { skillOf } from './cluster.ts';
import { type HttpRig, startHttpRig } from './http-rig.ts';

const redis: RedisServer | undefined = await startRedis();

const GREET = skillOf(`
- name: answer
  instruction: Greet {{input}}.
`);

describe.skipIf(redis === undefined)('turns over HTTP', () => {
  let rig: HttpRig;
  /** Ends the steps that wait for it, also those that no worker has taken yet. */
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  beforeAll(async () => {
    rig = await startHttpRig(redis!.url, (job, { signal }) => {
      const text = job.kind === 'generate' ? `said: ${job.instruction}` : '';
      if (!text.includes('slowly')) return { text };
      const stopped = new Promise<Partial<StepResult>>((resolve) => {
        signal.addEventListener('abort', () => resolve({ status: 'error', text: '' }));
      });
      return Promise.race([released.then(() => ({ text })), stopped]);
    });
  });
  afterAll(async () => {
    release();
    await rig.stop();
    await redis?.stop();
  });
  const submit = (body: object, headers = {}): Promise<TurnResource> =>
    rig.call('submitTurn', { body: { skill: { text: GREET }, ...body }, headers });
  const ended = (turnId: string): Promise<TurnResource> =>
    until(
      async () => {
        const turn = await rig.call<TurnResource>('getTurn', { params: { turnId } });
        return turn.outcome === null ? undefined : turn;
      },
      10_000,
      `the end of ${turnId}`,
    );

  it('runs a skill that was sent as text, and tells how it ended', async () => {
    const turn = await submit({ input: 'Ottilie', labels: { team: 'mill' }, priority: 7 });
    expect(turn).toMatchObject({
      tenant: 'default',
      labels: { team: 'mill' },
      priority: 7,
      skill: 'test-skill',
    });
    expect((await ended(turn.turnId)).outcome).toMatchObject({
      status: 'completed',
      answer: 'said: Greet Ottilie.',
    });
  });

  it('lists turns by label and status, page by page', async () => {
    const made = [];
    for (const name of ['a', 'b', 'c'])
      made.push((await submit({ input: name, labels: { batch: 'x' } })).turnId);
    for (const id of made) await ended(id);
    const query = '?label=batch%3Dx&status=completed&status=failed&limit=2';
    const first = await rig.call<TurnPage>('listTurns', { query });
    expect(first.turns.map(({ turnId }) => turnId)).toEqual([made[2], made[1]]);
    const rest = await rig.call<TurnPage>('listTurns', { query: `${query}&cursor=${first.next ?? ''}` });
    expect(rest.turns.map(({ turnId }) => turnId)).toEqual([made[0]]);
  });

  it('gives the turn of the first time for a repeated Idempotency-Key, and IDEMPOTENCY_CONFLICT for another body', async () => {
    const headers = { 'idempotency-key': 'once' };
    const [one, two] = await Promise.all([submit({ input: 'a' }, headers), submit({ input: 'a' }, headers)]);
    const three = await submit({ input: 'a' }, headers);
    expect([two.turnId, three.turnId]).toEqual([one.turnId, one.turnId]);
    const body = { skill: { text: GREET }, input: 'b' };
    expect(await rig.refused('submitTurn', { body, headers })).toMatchObject({
      status: 409,
      code: 'IDEMPOTENCY_CONFLICT',
    });
  });

  it('cancels a turn that runs, with the reason that was given', async () => {
    const { turnId } = await submit({ input: 'slowly' });
    const params = { turnId };
    expect(await rig.call('cancelTurn', { params, body: { reason: 'no longer needed' } })).toEqual({
      cancelled: true,
    });
    expect((await ended(turnId)).error).toEqual({ code: 'TURN_CANCELLED', message: 'no longer needed' });
    expect(await rig.call('cancelTurn', { params })).toEqual({ cancelled: false });
  });

  it('cancels a turn when its deadline is reached', async () => {
    const { turnId } = await submit({ input: 'slowly', deadlineMs: Date.now() + 300 });
    expect(await ended(turnId)).toMatchObject({
      status: 'cancelled',
      error: { code: 'TURN_CANCELLED', message: 'its deadline was reached' },
    });
  });

  it('says why a turn waits, which skill it runs, and that no history is kept', async () => {
    const { turnId } = await submit({ input: 'slowly' });
    const params = { turnId };
    await until(
      async () => (await rig.call<TurnResource>('getTurn', { params })).status === 'running',
      5000,
      'the turn runs',
    );
    expect(await rig.call('explainTurn', { params })).toMatchObject({
      status: 'running',
      jobs: [{ kind: 'generate' }],
    });
    expect(await rig.call('getTurnSkill', { params })).toMatchObject({
      name: 'test-skill',
      text: GREET,
      vars: ['input'],
    });
    expect(await rig.call<TurnJobs>('listTurnJobs', { params })).toEqual({ kept: false, jobs: [], more: 0 });
    release();
    await ended(turnId);
  });

  it('refuses a skill that is wrong with SKILL_INVALID and every mistake', async () => {
    const problem = await rig.refused('submitTurn', { body: { skill: { text: 'name: x\nsteps: 3\n' } } });
    expect(problem).toMatchObject({ status: 400, code: 'SKILL_INVALID' });
    expect(problem.diagnostics?.length).toBeGreaterThan(0);
  });

  it('hides the turns of a tenant from the others behind TURN_NOT_FOUND', async () => {
    const [mill, oven] = await Promise.all([rig.key('mill'), rig.key('oven')]);
    const body = { skill: { text: GREET }, input: 'x' };
    const { turnId } = await rig.call<TurnResource>('submitTurn', { body, key: mill });
    const params = { turnId };
    const unknown = { params: { turnId: 'nobody' }, key: oven };
    for (const operation of [
      'getTurn',
      'watchTurn',
      'listTurnJobs',
      'getTurnSkill',
      'explainTurn',
      'cancelTurn',
    ] as const) {
      const foreign = await rig.refused(operation, { params, key: oven });
      expect(foreign).toMatchObject({ status: 404, code: 'TURN_NOT_FOUND' });
      const { detail } = await rig.refused(operation, unknown);
      expect(foreign.detail.replace(turnId, 'nobody')).toBe(detail);
    }
    expect((await rig.call<TurnPage>('listTurns', { key: oven })).turns).toEqual([]);
    expect((await rig.call<TurnPage>('listTurns', { key: mill })).turns.map((turn) => turn.turnId)).toEqual([
      turnId,
    ]);
    const other = await rig.refused('submitTurn', { body: { ...body, tenant: 'mill' }, key: oven });
    expect(other).toMatchObject({ status: 403, code: 'FORBIDDEN' });
  });
});
