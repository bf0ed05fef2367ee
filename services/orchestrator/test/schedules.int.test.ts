import type { Schedule, ScheduleList, SkillSummary, TurnPage, TurnSummary } from '@skillyard/contracts';
import { type RedisServer, startRedis, until } from '@skillyard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from './cluster.ts';
import { type HttpRig, startHttpRig } from './http-rig.ts';

const redis: RedisServer | undefined = await startRedis();

const EVERY_SECOND = '* * * * * *';
const SKILL = `skill_engine_version: "2.4.1"
name: chime
description: Says what it was given.
workflow:
  tools: []
  steps:
    - set: {var: answer, value: "{{input}}"}
`;

/** A step that lasts until its turn is cancelled. */
const untilAborted: Answer = (_job, { signal }) =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve({ status: 'error', text: '' })));

describe.skipIf(redis === undefined)('schedules', () => {
  let rig: HttpRig;
  let ada: string;
  beforeAll(async () => {
    rig = await startHttpRig(redis!.url, untilAborted, { tenants: { full: { active_turns: 1 } } });
    // Two that are told of the same times.
    await rig.cluster.orchestrator({ config: { ...rig.cluster.config, http: {} } });
    ada = await rig.key('ada');
    await rig.call<SkillSummary>('uploadSkill', { body: { text: SKILL }, key: ada });
  });
  afterAll(async () => {
    await rig.stop();
    await redis?.stop();
  });

  const put = (scheduleId: string, body: object, key = ada): Promise<Schedule> =>
    rig.call('putSchedule', { params: { scheduleId }, body, key });
  const read = async (scheduleId: string): Promise<Schedule | undefined> => {
    const { schedules } = await rig.call<ScheduleList>('listSchedules', { key: ada });
    return schedules.find((one) => one.scheduleId === scheduleId);
  };
  const turnsOf = async (scheduleId: string): Promise<readonly TurnSummary[]> => {
    const query = `?label=${encodeURIComponent(`schedule=${scheduleId}`)}`;
    return (await rig.call<TurnPage>('listTurns', { query, key: ada })).turns;
  };

  it('submit a turn at every time they name, once, whoever is told of it', async () => {
    const turn = { skill: { name: 'chime' }, input: 'ding' };
    const made = await put('every-second', { cron: EVERY_SECOND, turn });
    expect(made).toMatchObject({ tenant: 'ada', timezone: 'UTC', last: null });
    expect(made.nextAtMs).toBeGreaterThan(Date.now() - 1000);
    const turns = await until(
      async () => {
        const found = await turnsOf('every-second');
        return found.length >= 3 && found.every(({ status }) => status === 'completed') ? found : undefined;
      },
      15_000,
      'three turns of the schedule',
    );
    const params = { scheduleId: 'every-second' };
    await rig.call('deleteSchedule', { params, key: ada });
    expect(await read('every-second')).toBeUndefined();

    const seconds = turns.map(({ submittedAtMs }) => Math.floor(submittedAtMs / 1000));
    expect(new Set(seconds).size).toBe(seconds.length);
    const before = (await turnsOf('every-second')).length;
    // Another one that is due later than the one that was deleted would have been.
    await put('witness', { cron: EVERY_SECOND, turn });
    await until(async () => (await turnsOf('witness')).length >= 2 || undefined, 10_000, 'two witnesses');
    await rig.call('deleteSchedule', { params: { scheduleId: 'witness' }, key: ada });
    expect((await turnsOf('every-second')).length - before).toBeLessThanOrEqual(1);
    expect(await rig.refused('deleteSchedule', { params, key: ada })).toMatchObject({
      status: 404,
      code: 'SCHEDULE_NOT_FOUND',
    });
  });

  it('say why a turn was refused, and go on', async () => {
    const full = await rig.key('full');
    const text = SKILL.replace(/- set: .*/, '- instruction: Wait.');
    const { turnId } = await rig.call<TurnSummary>('submitTurn', { body: { skill: { text } }, key: full });
    await put('refused', { cron: EVERY_SECOND, turn: { skill: { text: SKILL } } }, full);
    const schedule = await until(
      async () => {
        const { schedules } = await rig.call<ScheduleList>('listSchedules', { key: full });
        return schedules.find(({ last }) => last !== null);
      },
      10_000,
      'a refused firing',
    );
    expect(schedule.last).toMatchObject({ turnId: null, error: { code: 'TENANT_LIMIT' } });
    await rig.call('cancelTurn', { params: { turnId }, body: {}, key: full });
    await until(
      async () => {
        const { schedules } = await rig.call<ScheduleList>('listSchedules', { key: full });
        return schedules.find(({ last }) => last?.turnId);
      },
      10_000,
      'a firing that is let in',
    );
    await rig.call('deleteSchedule', { params: { scheduleId: 'refused' }, key: full });
  });

  it('are refused with what is wrong: cron, timezone, a time that never comes, a skill that is not there', async () => {
    const turn = { skill: { name: 'chime' } };
    const refusal = (body: object): Promise<{ code: string; detail: string }> =>
      rig.refused('putSchedule', { params: { scheduleId: 'bad' }, body, key: ada });
    expect(await refusal({ cron: '61 * * * *', turn })).toMatchObject({
      code: 'INPUT_INVALID',
      detail: expect.stringContaining('61'),
    });
    expect(await refusal({ cron: '@daily', turn })).toMatchObject({
      code: 'INPUT_INVALID',
      detail: expect.stringContaining('does not have five fields') as string,
    });
    expect(await refusal({ cron: '* * * * * * *', turn })).toMatchObject({
      detail: expect.stringContaining('five fields'),
    });
    expect(await refusal({ cron: '0 0 31 4,6 *', turn })).toMatchObject({
      detail: expect.stringContaining('never comes'),
    });
    expect(await refusal({ cron: '0 9 * * *', timezone: 'Europe/Nowhere', turn })).toMatchObject({
      detail: expect.stringContaining('Europe/Nowhere'),
    });
    expect(await refusal({ cron: '0 9 * * *', turn: { skill: { name: 'nobody' } } })).toMatchObject({
      code: 'SKILL_NOT_FOUND',
    });
    expect(await read('bad')).toBeUndefined();
  });

  it('keep the time of day of their timezone', async () => {
    const turn = { skill: { name: 'chime' } };
    const { nextAtMs } = await put('nine', { cron: '0 9 * * *', timezone: 'Asia/Tokyo', turn });
    expect(new Date(nextAtMs ?? 0).toISOString()).toMatch(/T00:00:00/);
    await rig.call('deleteSchedule', { params: { scheduleId: 'nine' }, key: ada });
  });
});
