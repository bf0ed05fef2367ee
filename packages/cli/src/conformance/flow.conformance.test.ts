import { join } from 'node:path';
import { type RedisServer, startRedis } from '@skillyard/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { type ConformanceCase, readCases } from './conformance-case.ts';
import { inOrder, inReverse } from './local-driver.ts';
import { openQueueDriver } from './queue-driver.ts';
import { runCase, type RunCaseOptions } from './run-case.ts';

const FOLDER = join(import.meta.dirname, '../../../../conformance');
const redis: RedisServer | undefined = await startRedis();
afterAll(async () => redis?.stop());

const recorded = (...files: string[]): Promise<ConformanceCase[]> =>
  readCases(
    files.map((file) => `${file}.json`),
    FOLDER,
  );

/** What a case that passes comes to. */
const PASSED = { differences: [], problem: null };

describe.each(await recorded('functions', 'validate', 'migrate', 'lint'))('recorded: $op $id', (one) => {
  it('gives what is recorded', async () => {
    expect(await runCase(one, { driver: inOrder, fanOut: 'off' })).toMatchObject(PASSED);
  });
});

describe.each(await recorded('execute'))('recorded: execute $id', (one) => {
  it.each<[string, RunCaseOptions]>([
    ['in order', { driver: inOrder, fanOut: 'off' }],
    ['fanned out, with results in reverse order', { driver: inReverse, fanOut: 'on' }],
  ])('gives what is recorded, %s', async (_, options) => {
    expect(await runCase(one, options)).toMatchObject(PASSED);
  });
});

describe.skipIf(redis === undefined)('recorded: execute over queues', () => {
  it.each(['on', 'off'] as const)(
    'gives what is recorded in every case, fan-out %s',
    async (fanOut) => {
      const driver = await openQueueDriver({ url: redis?.url, env: {} });
      try {
        const cases = await recorded('execute');
        const results = await Promise.all(cases.map((one) => runCase(one, { driver: driver.run, fanOut })));
        expect(
          results.filter(({ differences, problem }) => differences.length > 0 || problem !== null),
        ).toEqual([]);
      } finally {
        await driver.close();
      }
    },
    120_000,
  );
});
