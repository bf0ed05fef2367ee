import { expect, it } from 'vitest';
import { checkResult } from './result-check.ts';

const DRAFT_07 = '"$schema":"http://json-schema.org/draft-07/schema#"';

it.each([
  ['{"type":"integer"}', '1.0'],
  ['{"type":"integer"}', '1e400'],
  ['{"const":9007199254740993}', '9007199254740993.0'],
  ['{"enum":[{"a":[1.0,"x"],"b":null}]}', '{"b":null,"a":[1,"\\u0078"]}'],
  ['{"minimum":0.1,"multipleOf":0.1}', '0.3'],
  ['{"multipleOf":7}', '7e300'],
  ['{"maximum":-1e-400}', '-0.1'],
  ['{"uniqueItems":true}', '[9007199254740992,9007199254740993]'],
  ['{"type":"string","format":"date"}', '"soon"'],
  [
    '{"items":{"$ref":"#/$defs/n"},"$defs":{"n":{"exclusiveMaximum":9007199254740993}}}',
    '[9007199254740992]',
  ],
  ['true', '1'],
  ['null', '1'],
])('takes for %s the result %s', (schema, result) => {
  expect(checkResult(schema, result)).toBeNull();
});

it.each([
  ['{"type":"integer"}', '9007199254740993.5', "at '': must be integer"],
  ['{"const":9007199254740993}', '9007199254740992', "at '': must be 9007199254740993"],
  ['{"minimum":1e400}', '1e399', "at '': must be >= 1e400"],
  ['{"multipleOf":0.1}', '0.35', "at '': must be a multiple of 0.1"],
  ['{"uniqueItems":true}', '[1,{},1.0]', "at '': must not have an element twice"],
  [`{${DRAFT_07},"type":"string","format":"date"}`, '"soon"', `at '': must match format "date"`],
  [
    '{"properties":{"lane":{"enum":["air","sea"]}},"additionalProperties":false}',
    '{"lane":"boat","extra":1}',
    `at '': must NOT have additional properties: "extra"; at '/lane': must be one of "air", "sea"`,
  ],
  ['{"propertyNames":{"const":"a"}}', '{"b":1}', `at '': must be "a"; at '': property name must be valid`],
  ['false', '1', "at '': boolean schema is false"],
])('refuses for %s the result %s', (schema, result, problem) => {
  expect(checkResult(schema, result)).toBe(`schema-invalid result: ${problem}`);
});

it.each([
  '{"type":"nope"}',
  '3',
  '{"$ref":"https://example.org/other"}',
  '{"$schema":"urn:mine"}',
  '{"multipleOf":0}',
])('says of the schema %s that it is none', (schema) => {
  expect(checkResult(schema, '1')).toMatch(/^output schema does not compile: ./);
});

it('looks at each digit of a number once', () => {
  expect(checkResult('{"minimum":1}', `1${'0'.repeat(300_000)}1`)).toBeNull();
});

it('ends when a pattern does not', () => {
  const result = `"${'a'.repeat(100)}!"`;
  expect(checkResult('{"pattern":"^(a+)+$"}', result, 100)).toContain('took longer than 100 ms');
});
