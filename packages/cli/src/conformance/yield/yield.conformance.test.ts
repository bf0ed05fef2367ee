import { join } from 'node:path';
import { afterAll, describe, it } from 'vitest';
import { hasPassed } from '../report.ts';
import { openYieldRecordings } from './yield-suite.ts';

const FOLDER = join(import.meta.dirname, '../../../../../conformance/yield');
const recordings = await openYieldRecordings(FOLDER, FOLDER);
afterAll(async () => recordings.close());

// One after the other: each starts as many processes as there are processors.
describe('recordings of programs and their supervisor', () => {
  it.for([...recordings.files])(
    'are repeated, or corrected where they are known to be wrong: $name',
    { timeout: 240_000 },
    async (file, { expect }) => {
      const results = await file.run();
      expect(results.filter((result) => !hasPassed(result))).toEqual([]);
      expect(results).not.toEqual([]);
    },
  );
});
