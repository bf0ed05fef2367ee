import { describe, expect, it } from 'vitest';
import { fitsText, WORDS } from './fits-text.ts';

describe('a message that fits a recorded one', () => {
  it.each<[recorded: string, actual: string, fits: boolean]>([
    ['yskill: result is not valid JSON\n', 'skillyard-program: result is not valid JSON\n', true],
    ['yskill: result is not valid JSON\n', 'skillyard-program: result is no JSON\n', false],
    ["yskill: bad: invalid character 'n' at 1\n", 'skillyard-program: bad: unexpected "n"\n', true],
    ["yskill: bad: invalid character 'n' at 1\n", 'skillyard-program: worse: unexpected "n"\n', false],
    [
      'yskill: lstat <root>/none: no such file or directory\n',
      'skillyard-program: there is no <root>/none\n',
      true,
    ],
    [
      'yskill: lstat <root>/none: no such file or directory\n',
      'skillyard-program: there is no <root>/other\n',
      false,
    ],
    [
      "rejected (schema-invalid): schema-invalid result: jsonschema validation failed with 'a'\n- at ''",
      'rejected (schema-invalid): schema-invalid result: /n must be a number',
      true,
    ],
    [
      "rejected (schema-invalid): schema-invalid result: jsonschema validation failed with 'a'\n- at ''",
      'rejected (stale-response): schema-invalid result: /n must be a number',
      false,
    ],
    [`run <run-1>: ${WORDS} (1.5)`, 'run <run-1>: anything (1.5)', true],
    [`run <run-1>: ${WORDS} (1.5)`, 'run <run-1>: anything (105)', false],
  ])('%j, %j: %s', (recorded, actual, fits) => {
    expect(fitsText(recorded, actual)).toBe(fits);
  });
});
