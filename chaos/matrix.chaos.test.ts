import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCell } from './cell.ts';
import { cellsOf, rounds } from './matrix.ts';
import { type Role, startSystem, type System } from './system.ts';
import { openWorld } from './world.ts';

const world = await openWorld();
const ROLES: readonly Role[] = ['orchestrator', 'model', 'tool'];

describe.skipIf(world === undefined)('the crash matrix', () => {
  afterAll(async () => world?.close());

  // Each row has a system of its own and its cells follow each other; most of a cell is waiting for a death to be noticed.
  describe.concurrent.each(ROLES)('a turn whose %s is killed', (role) => {
    let system: System;
    beforeAll(async () => {
      system = await startSystem(world!, true);
    }, 90_000);
    afterAll(async () => system?.close());

    for (let round = 1; round <= rounds; round++) {
      for (const cell of cellsOf(role)) {
        const { kind, transition, nth } = cell;
        it(
          `keeps its promises: ${kind.name}, ${transition}, time ${nth}, round ${round}`,
          { concurrent: false, timeout: 120_000 },
          async () => {
            const { seen, expected } = await runCell(world!, system, cell);
            expect(seen).toEqual(expected);
          },
        );
      }
    }
  });
});
