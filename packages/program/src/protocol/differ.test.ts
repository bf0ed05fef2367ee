import { expect, it } from 'vitest';
import { whereTheyDiffer } from './differ.ts';

it.each([
  [
    '{"id":"a","payload":{"list":[1,{"b":2}]}}',
    '{"id":"a","payload":{"list":[1,{"b":3}]}}',
    'the first difference is at payload.list[1].b: 2 was recorded, and now it is 3',
  ],
  ['{"id":"a"}', '{"id":"a","output_schema":{}}', 'output_schema is new: {}'],
  ['{"payload":{"two words":1}}', '{"payload":{}}', 'payload["two words"] is gone: 1 was recorded'],
  [
    '{"payload":[1]}',
    '{"payload":1}',
    'the first difference is at payload: [1] was recorded, and now it is 1',
  ],
  ['{"payload":{"a":1,"b":2}}', '{"payload":{"b":2,"a":1}}', 'the keys of payload stand in another order'],
  [
    '{"payload":1.0}',
    '{"payload":1}',
    'the first difference is at payload: 1.0 was recorded, and now it is 1',
  ],
  ['[]', '{}', 'the first difference is the whole request: [] was recorded, and now it is {}'],
  ['{"id":"a"}', '{"id":"a"}', 'the requests are the same text now'],
])('of %s and %s', (recorded, now, words) => {
  expect(whereTheyDiffer(recorded, now)).toBe(words);
});
