import type { QueueList, QueueResource, TurnJobs, TurnResource } from '@skillyard/contracts';
import { HistoryWriter } from '@skillyard/queue';
import { type RedisServer, startRedis, until } from '@skillyard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { skillOf } from './cluster.ts';
import { type HttpRig, startHttpRig } from './http-rig.ts';

const redis: RedisServer | undefined = await startRedis();

const BAKE = skillOf(
  '- {name: bake, call: {tool: "oven:bake", args: {dough: "{{input}}"}, save_as: answer}}',
);

describe.skipIf(redis === undefined)('queues and histories over HTTP', () => {
  let rig: HttpRig;
  beforeAll(async () => {
    rig = await startHttpRig(redis!.url, () => ({ text: 'bread' }), {
      servers: { oven: { url: 'http://oven' } },
      history: { steps: 'on' },
    });
  });
  afterAll(async () => {
    await rig.stop();
    await redis?.stop();
  });

  const oven = async (): Promise<QueueResource | undefined> => {
    const { queues } = await rig.call<QueueList>('listQueues');
    return queues.find((queue) => queue.class === 'oven');
  };

  it('hold a turn while its class is paused, and tell what was done once it goes on', async () => {
    const { connection } = rig.cluster;
    const history = HistoryWriter.of({ steps: 'on' }, connection, (error) => {
      throw error;
    });
    await rig.cluster.worker('oven', history === undefined ? {} : { history });
    const params = { class: 'oven' };
    expect(await rig.call('pauseQueue', { params })).toMatchObject({ class: 'oven', paused: true });
    const { turnId } = await rig.call<TurnResource>('submitTurn', {
      body: { skill: { text: BAKE }, input: 'rye' },
    });
    await until(async () => (await oven())?.waiting === 1, 5000, 'its job waits');
    expect(await oven()).toMatchObject({ paused: true, active: 0, workers: 1 });
    expect(await rig.call('resumeQueue', { params })).toMatchObject({ paused: false });
    await until(
      async () => (await rig.call<TurnResource>('getTurn', { params: { turnId } })).outcome !== null,
      5000,
      'the end of the turn',
    );
    const told = await rig.call<TurnJobs>('listTurnJobs', { params: { turnId }, query: '?path=0' });
    expect(told).toMatchObject({
      kept: true,
      more: 0,
      jobs: [{ step: 'bake', target: 'oven:bake', input: { args: { dough: 'rye' } }, output: 'bread' }],
    });
  });

  it('are shown to every reader, and held only by who acts for all tenants', async () => {
    const key = await rig.key('acme');
    const { queues } = await rig.call<QueueList>('listQueues', { key });
    expect(queues.map((queue) => queue.class)).toEqual(['model', 'builtin', 'action', 'command', 'oven']);
    for (const operation of ['pauseQueue', 'resumeQueue'] as const) {
      const refused = await rig.refused(operation, { key, params: { class: 'oven' } });
      expect(refused).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    }
    expect(await oven()).toMatchObject({ paused: false });
  });

  it('are those of the configuration', async () => {
    const refused = await rig.refused('pauseQueue', { params: { class: 'kitchen' } });
    expect(refused).toMatchObject({ status: 404, code: 'QUEUE_UNKNOWN' });
    expect(refused.detail).toContain('model, builtin, action, command, oven');
  });
});
