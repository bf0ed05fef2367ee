import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCell } from './cell.ts';
import { cellsOf, rounds } from './matrix.ts';
import { type Role, startSystem, type System } from './system.ts';
import { openWorld } from './world.ts';

/** Declares the tests of the crash matrix in which one role dies. */
export async function describeRole(role: Role): Promise<void> {
  const world = await openWorld();
  describe.skipIf(world === undefined)(`a turn whose ${role} is killed`, () => {
    let system: System;
    beforeAll(async () => {
      system = await startSystem(world!);
    }, 60_000);
    afterAll(async () => {
      await system?.close();
      await world?.close();
    });

    for (let round = 1; round <= rounds; round++) {
      for (const cell of cellsOf(role)) {
        const { kind, transition, nth } = cell;
        it(`keeps its promises: ${kind.name}, ${transition}, time ${nth}, round ${round}`, async () => {
          const { seen, expected } = await runCell(world!, system, cell);
          expect(seen).toEqual(expected);
        }, 120_000);
      }
    }
  });
}
