import { until } from '@skillyard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cell, look, newKey, type Seen } from './cell.ts';
import { DELEGATE, GENERATE, IDEMPOTENT, LOOP, ONCE } from './kinds.ts';
import { isLong, rounds } from './matrix.ts';
import { type Role, startSystem, type System } from './system.ts';
import { openWorld } from './world.ts';

const world = await openWorld();

const cell = (kind: Cell['kind'], role: Role, transition: Cell['transition'], nth = 1): Cell => ({
  kind,
  role,
  transition,
  nth,
});

const SHORT: Readonly<Record<Role, readonly Cell[]>> = {
  orchestrator: [
    cell(ONCE, 'orchestrator', 'commit.before', 2),
    cell(ONCE, 'orchestrator', 'enqueue.before', 2),
  ],
  model: [cell(GENERATE, 'model', 'execute.before')],
  tool: [cell(ONCE, 'tool', 'execute.before'), cell(IDEMPOTENT, 'tool', 'execute.before')],
};
const LONG: Readonly<Record<Role, readonly Cell[]>> = {
  orchestrator: [
    ...SHORT.orchestrator,
    cell(ONCE, 'orchestrator', 'commit.before'),
    cell(ONCE, 'orchestrator', 'commit.after', 2),
    cell(ONCE, 'orchestrator', 'ack.before'),
    cell(LOOP, 'orchestrator', 'commit.before', 2),
    cell(DELEGATE, 'orchestrator', 'submit.before'),
    cell(DELEGATE, 'orchestrator', 'announce.before'),
  ],
  model: [
    ...SHORT.model,
    cell(GENERATE, 'model', 'claim.before'),
    cell(GENERATE, 'model', 'result.before'),
    cell(DELEGATE, 'model', 'execute.after'),
  ],
  tool: [
    ...SHORT.tool,
    cell(ONCE, 'tool', 'claim.before'),
    cell(ONCE, 'tool', 'claim.after'),
    cell(ONCE, 'tool', 'result.before'),
    cell(ONCE, 'tool', 'result.after'),
    cell(LOOP, 'tool', 'execute.before'),
    cell(IDEMPOTENT, 'tool', 'result.before'),
  ],
};
const CELLS = isLong ? LONG : SHORT;
/** A turn that was taken over has ended long before. */
const END_MS = 60_000;

describe.skipIf(world === undefined)('a process that hangs, is replaced, and goes on', () => {
  afterAll(async () => world?.close());

  describe.concurrent.each(['orchestrator', 'model', 'tool'] as const)('as the %s of a turn', (role) => {
    let system: System;
    beforeAll(async () => {
      system = await startSystem(world!, true);
    }, 90_000);
    afterAll(async () => system?.close());

    /** Runs a turn whose process hangs until the turn has ended without it. */
    const run = async (one: Cell): Promise<{ seen: Seen; key: string }> => {
      const key = newKey(one);
      const victim = system.roles[role];
      await system.quiet();
      await victim.order({ ...one, signal: 'SIGSTOP' });
      const turnId = await system.submit(one.kind, key);
      await victim.hangs();
      const spare = await system.startSpare(role);
      try {
        await system.outcome(turnId);
        victim.resume();
        // It answers, so it has seen what it missed.
        await victim.order({ transition: 'start.before', nth: Number.MAX_SAFE_INTEGER });
        await system.quiet();
        return { seen: await look(world!, system, turnId, key), key };
      } finally {
        victim.resume();
        await spare.stop();
        await victim.kill();
        await until(() => victim.ready().then(() => true), END_MS, 'a replacement');
      }
    };

    for (let round = 1; round <= rounds; round++) {
      for (const one of CELLS[role]) {
        const { kind, transition, nth } = one;
        it(
          `does no harm: ${kind.name}, ${transition}, time ${nth}, round ${round}`,
          { concurrent: false, timeout: 150_000 },
          async () => {
            const { seen, key } = await run(one);
            const right = kind.answer(key);
            // The one that hung was the first to claim the call: it counts as lost, unless its result came in time.
            const allowed = role === 'tool' && kind.answerIfLost ? [right, kind.answerIfLost(key)] : [right];
            expect(allowed).toContain(seen.answer);
            expect(seen).toMatchObject({
              status: 'completed',
              doubleRows: [],
              ends: 1,
              keys: ['meta', 'trace'],
              immortal: [],
            });
            if (kind.effect === 'once') expect(seen.executions).toBeLessThanOrEqual(1);
            if (kind.effect !== null && seen.answer === right)
              expect(seen.executions).toBeGreaterThanOrEqual(1);
          },
        );
      }
    }
  });
});
