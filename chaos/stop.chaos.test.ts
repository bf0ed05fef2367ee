import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLong, rounds } from './matrix.ts';
import { runStopCell, stopCellsOf } from './stop-cells.ts';
import { type Role, startSystem, type System } from './system.ts';
import { openWorld } from './world.ts';

const world = await openWorld();
/** The roles of a group share a system, and their cells follow each other. */
const GROUPS: readonly { readonly who: string; readonly roles: readonly Role[] }[] = [
  { who: 'an orchestrator', roles: ['orchestrator'] },
  { who: 'a worker', roles: ['tool', 'model'] },
];

describe.skipIf(world === undefined)('a turn that is stopped', () => {
  afterAll(async () => world?.close());

  describe.concurrent.each(GROUPS)('while $who dies', ({ roles }) => {
    let system: System;
    beforeAll(async () => {
      system = await startSystem(world!, true);
    }, 90_000);
    afterAll(async () => system?.close());

    for (let round = 1; round <= rounds; round++) {
      for (const cell of roles.flatMap((role) => stopCellsOf(role, isLong))) {
        const { kind, stop, role, at, nth } = cell;
        it(
          `ends with its reason: ${stop}, ${kind.name}, ${role} ${at}, time ${nth}, round ${round}`,
          { concurrent: false, timeout: 120_000 },
          async () => {
            const { seen, expected } = await runStopCell(world!, system, cell);
            expect(seen).toEqual(expected);
          },
        );
      }
    }
  });
});
