import { expect, it } from 'vitest';
import { identityProblem } from './identity.ts';

it.each<[string | null, string | undefined, string | null]>([
  ['{"version":1,"yield_version":"0.2.0"}', '0.2.0', null],
  ['{"version":1,"yield_version":"0.2.0"}', '0.1.9', 'version 0.1.9 does not match yield_version 0.2.0'],
  ['{"version":1,"yield_version":"0.2.0"}', undefined, 'version missing does not match yield_version 0.2.0'],
  ['{"version":1}', '0.2.0', 'version 0.2.0 does not match yield_version missing'],
  ['{"version":1,"yield_version":""}', '', 'version missing does not match yield_version missing'],
  ['{"version":2,"yield_version":"0.2.0"}', undefined, null],
  ['{"version":"1"}', undefined, null],
  ['{', undefined, null],
  ['null', undefined, null],
  [null, undefined, null],
])('the manifest %s under the supervisor %s: %s', (manifest, supervisor, problem) => {
  const found = identityProblem(manifest, supervisor);
  expect(found).toBe(problem === null ? null : `supervisor ${problem} of skill.json`);
});
