import { expect, it } from 'vitest';
import { withoutFence } from './without-fence.ts';

it.each([
  ['{"a": 1}', '{"a": 1}'],
  [' \n7\n', '7'],
  ['```json\n{"a": 1}\n```', '{"a": 1}'],
  ['\n``` \n\n[1,\n2]\n ```  \n', '[1,\n2]'],
  ['```\n{"a": "```"}```', '{"a": "```"}'],
  ['```js\n1\n```', '```js\n1\n```'],
  ['```json\n1', '```json\n1'],
  ['```\n', '```'],
  ['so: ```\n1\n```', 'so: ```\n1\n```'],
])('reads %j as %j', (text, json) => {
  expect(withoutFence(text)).toBe(json);
});
