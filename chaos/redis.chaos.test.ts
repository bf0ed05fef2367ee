import type { TurnId } from '@skillyard/contracts';
import { until } from '@skillyard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DELEGATE, FAN_OUT, GENERATE, IDEMPOTENT, type Kind, LOOP, ONCE } from './kinds.ts';
import { isLong, rounds } from './matrix.ts';
import { startSystem, type System } from './system.ts';
import { openWorld } from './world.ts';

const world = await openWorld();
const KINDS = [GENERATE, ONCE, IDEMPOTENT, LOOP, DELEGATE, FAN_OUT] as const;
/** Turns under way when Redis goes. */
const TURNS = isLong ? 120 : 30;
/** How long Redis stays away: longer than a worker's lock. */
const AWAY_MS = 4000;
const END_MS = 90_000;

interface Submitted {
  readonly kind: Kind;
  readonly key: string;
  readonly turnId: TurnId;
}

describe.skipIf(world === undefined)('turns under way', () => {
  let system: System;
  let serial = 0;
  beforeAll(async () => {
    system = await startSystem(world!, false);
  }, 60_000);
  afterAll(async () => {
    await system?.close();
    await world?.close();
  });

  const submitMany = async (): Promise<Submitted[]> => {
    const cycle = ++serial;
    return Promise.all(
      Array.from({ length: TURNS }, async (_, index) => {
        const kind = KINDS[index % KINDS.length] ?? GENERATE;
        const key = `redis${cycle}-${index}-`;
        return { kind, key, turnId: await system.submit(kind, key) };
      }),
    );
  };
  const ended = async (turns: readonly Submitted[]): Promise<number> => {
    const views = await Promise.all(turns.map(({ turnId }) => system.client.readTurn(turnId)));
    return views.filter(({ outcome }) => outcome !== null).length;
  };
  /** No process died, so that no call may be lost, and none repeated that must not be. */
  const expectAllIsWell = async (turns: readonly Submitted[]): Promise<void> => {
    await until(async () => (await ended(turns)) === turns.length, END_MS, 'the end of every turn');
    await system.quiet();
    for (const { kind, key, turnId } of turns) {
      const { answer, status } = await system.outcome(turnId);
      expect({ key, status, answer }).toEqual({ key, status: 'completed', answer: kind.answer(key) });
      const lines = await world!.lines(key);
      if (kind.effect === 'once') expect(lines).toHaveLength(1);
      else expect(lines.length).toBeGreaterThanOrEqual(kind.executions);
      const rows = (await system.events(turnId)).flatMap((one) =>
        one.type === 'step.finished' ? [one.path] : [],
      );
      expect(new Set(rows).size).toBe(rows.length);
      expect(await system.keysOf(turnId)).toEqual([
        { name: 'meta', expires: true },
        { name: 'trace', expires: true },
      ]);
    }
  };

  for (let round = 1; round <= rounds; round++) {
    it(`go on when Redis is killed and comes back with its append-only file, round ${round}`, async () => {
      // As most of them are run: a write to the file waits for no disk.
      await system.connection.redis.config('SET', 'appendfsync', 'everysec');
      const turns = await submitMany();
      for (const share of [0.1, 0.5]) {
        await until(
          async () => (await ended(turns)) >= share * TURNS,
          END_MS,
          `${share * 100} % of the turns`,
        );
        await world!.redis.restart();
      }
      await expectAllIsWell(turns);
    }, 180_000);

    it(`go on when Redis was away for some seconds, round ${round}`, async () => {
      const turns = await submitMany();
      await until(async () => (await ended(turns)) >= 0.2 * TURNS, END_MS, '20 % of the turns');
      await world!.redis.kill();
      const killedAtMs = Date.now();
      await until(() => Date.now() - killedAtMs > AWAY_MS, 2 * AWAY_MS, 'the time that Redis is away');
      await world!.redis.restart();
      await expectAllIsWell(turns);
    }, 180_000);

    it(`go on when Redis answers nothing for some seconds, round ${round}`, async () => {
      const turns = await submitMany();
      await until(async () => (await ended(turns)) >= 0.2 * TURNS, END_MS, '20 % of the turns');
      await world!.redis.pause();
      const pausedAtMs = Date.now();
      await until(() => Date.now() - pausedAtMs > AWAY_MS, 2 * AWAY_MS, 'the time that Redis is silent');
      await world!.redis.resume();
      await expectAllIsWell(turns);
    }, 180_000);
  }
});
