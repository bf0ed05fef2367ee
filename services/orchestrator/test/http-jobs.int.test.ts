import type {
  FailedJobPage,
  InspectedJobResource,
  RedriveReport,
  ReopenedTurns,
  TurnResource,
} from '@skillyard/contracts';
import { type RedisServer, startRedis, until } from '@skillyard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { skillOf } from './cluster.ts';
import { type HttpRig, startHttpRig } from './http-rig.ts';

const redis: RedisServer | undefined = await startRedis();

const SKILL = skillOf(`
- name: answer
  instruction: Greet {{input}}.
`);

describe.skipIf(redis === undefined)('failed jobs over HTTP', () => {
  let rig: HttpRig;
  let mill: string;
  let oven: string;
  let isBroken = true;
  beforeAll(async () => {
    rig = await startHttpRig(redis!.url, () =>
      isBroken
        ? { status: 'error', text: '', error: { code: 'MODEL_REFUSED', message: 'no' } }
        : { text: 'hello' },
    );
    [mill, oven] = [await rig.key('mill'), await rig.key('oven')];
  });
  afterAll(async () => {
    await rig.stop();
    await redis?.stop();
  });
  const status = async (turnId: string): Promise<string> =>
    (await rig.call<TurnResource>('getTurn', { params: { turnId } })).status;
  /** @returns the id of the job that failed */
  const fail = async (key: string): Promise<string> => {
    isBroken = true;
    const body = { skill: { text: SKILL }, input: 'x' };
    const { turnId } = await rig.call<TurnResource>('submitTurn', { body, key });
    await until(async () => (await status(turnId)) === 'failed', 5000, `${turnId} fails`);
    isBroken = false;
    return `${turnId}.0.g0.0`;
  };
  const listed = async (key: string, query = ''): Promise<string[]> =>
    (await rig.call<FailedJobPage>('listFailedJobs', { key, query })).jobs.map(({ jobId }) => jobId);

  it('lists to a tenant its own, page by page, and to who acts for all those of all', async () => {
    const own = [await fail(mill), await fail(mill), await fail(mill)];
    const other = await fail(oven);
    expect(await listed(mill)).toEqual(own.toReversed());
    expect(await listed(oven)).toEqual([other]);
    const misspelt = '?class=modle';
    expect(await rig.refused('listFailedJobs', { query: misspelt })).toMatchObject({ code: 'QUEUE_UNKNOWN' });
    expect(await rig.refused('redriveClass', { params: { class: 'modle' } })).toMatchObject({
      code: 'QUEUE_UNKNOWN',
      detail: expect.stringContaining('it has model'),
    });
    const all = await rig.call<FailedJobPage>('listFailedJobs');
    expect(all.jobs.map(({ jobId }) => jobId)).toEqual([other, ...own.toReversed()]);
    const first = await rig.call<FailedJobPage>('listFailedJobs', {
      key: mill,
      query: '?class=model&limit=2',
    });
    expect(first.jobs.map(({ jobId }) => jobId)).toEqual([own[2], own[1]]);
    const query = `?class=model&limit=2&cursor=${encodeURIComponent(first.next ?? '')}`;
    expect(await listed(mill, query)).toEqual([own[0]]);
    for (const cursor of ['x', 'x/t.0.c', '1/', '-inf/t.0.c']) {
      const forged = `?class=model&cursor=${encodeURIComponent(cursor)}`;
      expect(await rig.refused('listFailedJobs', { key: mill, query: forged })).toMatchObject({
        status: 400,
        code: 'INPUT_INVALID',
      });
    }
  });

  it('hides a job from other tenants behind JOB_NOT_FOUND, whatever they ask', async () => {
    const jobId = await fail(mill);
    const foreign = { params: { jobId }, key: oven };
    for (const [operation, options] of [
      ['inspectJob', foreign],
      ['redriveJob', foreign],
      ['resolveJob', { ...foreign, body: { text: 'mine' } }],
    ] as const)
      expect(await rig.refused(operation, options)).toMatchObject({ status: 404, code: 'JOB_NOT_FOUND' });
    const inspected = await rig.call<InspectedJobResource>('inspectJob', { params: { jobId }, key: mill });
    expect(inspected).toMatchObject({
      turnStatus: 'failed',
      job: { code: 'MODEL_REFUSED' },
      notRedrivable: null,
    });
  });

  it('runs a job again, and takes the value that a person gives', async () => {
    const again = await fail(mill);
    const given = await fail(mill);
    const redriven = await rig.call<ReopenedTurns>('redriveJob', { params: { jobId: again }, key: mill });
    await rig.call('resolveJob', { params: { jobId: given }, body: { text: 'by hand' }, key: mill });
    const outcome = async (jobId: string): Promise<unknown> =>
      (await rig.cluster.outcome(jobId.split('.')[0] as never)).answer;
    expect(redriven.turnIds).toEqual([again.split('.')[0]]);
    expect([await outcome(again), await outcome(given)]).toEqual(['hello', 'by hand']);
    const twice = await rig.refused('redriveJob', { params: { jobId: again }, key: mill });
    expect(twice).toMatchObject({ status: 409, code: 'REOPEN_REFUSED' });
  });

  it('runs the failed jobs of a class again that are of the own tenant', async () => {
    const [own, other] = [await fail(mill), await fail(oven)];
    const report = await rig.call<RedriveReport>('redriveClass', { params: { class: 'model' }, key: mill });
    expect(report.redriven).toContain(own);
    expect(report.redriven).not.toContain(other);
    expect(await listed(mill)).toEqual([]);
    expect(await listed(oven)).toContain(other);
  });
});
