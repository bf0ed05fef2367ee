import { join } from 'node:path';
import { afterAll, describe, it } from 'vitest';
import { hasPassed } from '../report.ts';
import { openKitRecordings } from './kit-suite.ts';

const FOLDER = join(import.meta.dirname, '../../../../../conformance/kit');
const recordings = await openKitRecordings(FOLDER, FOLDER);
afterAll(async () => recordings.close());

// One after the other: each is busy with a processor of its own.
describe('recordings of the kit', () => {
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
