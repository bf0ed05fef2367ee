import type { StepJob } from '@skillyard/contracts';
import { type RedisServer, startRedis, until } from '@skillyard/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { skillOf, startCluster } from './cluster.ts';

const redis: RedisServer | undefined = await startRedis({ owned: true, appendOnly: true });

const SKILL = skillOf(`
- {name: one, instruction: One., save_as: a}
- {name: pay, call: {tool: "mill:pay", args: {what: "{{a}}"}, save_as: b}}
- for_each:
    in: list
    as: item
    collect: got
    steps: [{call: {tool: "oven:look", args: {item: "{{item}}"}, save_as: got}}]
- {name: end, instruction: "{{b}} {{got}}"}
`);

describe.skipIf(redis === undefined)(
  'a Redis that is killed and comes back with its append-only file',
  () => {
    afterAll(async () => redis?.stop());

    it('costs no turn and no result, and repeats no call that must not run twice', async () => {
      const answer = (job: StepJob) => ({
        text: job.kind === 'generate' ? job.instruction : `did ${job.id.split('.').slice(1).join('.')}`,
      });
      const cluster = await startCluster(redis!.url, answer, {
        servers: { mill: { url: 'http://mill' }, oven: { url: 'http://oven', effect: 'read' } },
      });
      try {
        await cluster.orchestrator();
        await cluster.worker('model', { lockMs: 2000 });
        await cluster.worker('mill', { lockMs: 2000 });
        await cluster.worker('oven', { lockMs: 2000 });
        const turns = await Promise.all(
          Array.from({ length: 60 }, (_, index) =>
            cluster.submit(SKILL, { turnId: `turn-${index}`, vars: { list: 'x\ny\nz' } }),
          ),
        );
        for (const share of [0.1, 0.4, 0.7]) {
          await until(
            () => cluster.executed.length >= share * 60 * 6,
            20_000,
            `${share * 100} % of the jobs`,
          );
          await redis!.restart();
        }
        for (const turnId of turns) {
          expect(await cluster.outcome(turnId)).toMatchObject({
            status: 'completed',
            answer: 'did 1.c did 2.i0.0.c\n\ndid 2.i1.0.c\n\ndid 2.i2.0.c',
          });
        }
        const paid = cluster.executed
          .filter((job) => job.kind === 'call' && job.tool === 'pay')
          .map((job) => job.id);
        expect(new Set(paid).size).toBe(60);
        expect(paid).toHaveLength(60);
      } finally {
        await cluster.close();
      }
    }, 60_000);
  },
);
