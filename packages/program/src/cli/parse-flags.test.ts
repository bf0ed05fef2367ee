import { expect, it } from 'vitest';
import { parseFlags } from './parse-flags.ts';

const KINDS = { skill: 'text', 'result-json': 'text', again: 'switch' } as const;

it('reads flags before and behind words, with one dash or two, and values that look like flags', () => {
  const { words, flags } = parseFlags(
    ['--skill', 'a=b', 'run_1', '-result-json=-', '--again', '--', '--skill'],
    KINDS,
  );
  expect(words).toEqual(['run_1', '--skill']);
  expect([flags.text('skill'), flags.text('result-json'), flags.on('again')]).toEqual(['a=b', '-', true]);
  expect(parseFlags(['--result-json', '-5'], KINDS).flags.text('result-json')).toBe('-5');
  expect(parseFlags(['-'], KINDS).words).toEqual(['-']);
});

it.each([
  ['--bogus', 'flag provided but not defined: -bogus'],
  ['--constructor', 'flag provided but not defined: -constructor'],
  ['--skill', 'flag needs an argument: -skill'],
  ['--again=no', '--again takes no value: write it alone or leave it out'],
])('refuses %s', (arg, message) => {
  expect(() => parseFlags([arg], KINDS)).toThrow(message);
});
