import { expect, it } from 'vitest';
import { TranscriptNames } from './transcript-names.ts';

const digest = (byte: string): string => `sha256:${byte.repeat(32)}`;
const recorded = JSON.stringify({ skill: { name: 'a', digest: digest('aa') } }) + `"to":"${digest('bb')}"`;

it('gives a run its name, and another text for every run that it does not know', () => {
  const names = new TranscriptNames('/tmp/x', recorded);
  names.nameRun('<run-1>', 'run_1700000000_abcdef0123');
  expect(names.resolve('<root>/<run-1>')).toBe('/tmp/x/run_1700000000_abcdef0123');
  expect(names.nameAll('/tmp/x/run_1700000000_abcdef0123 at 2026-01-02T03:04:05Z', '')).toBe(
    '<root>/<run-1> at <time>',
  );
  const unknown = ['<run-2>', '<run-3>'].map((name) => names.resolve(name));
  expect(new Set(unknown).size).toBe(2);
  expect(names.nameAll(unknown.join(' '), '')).toBe('<run-2> <run-3>');
});

it('takes a recorded digest of sources for one of ours, and always for the same', () => {
  const names = new TranscriptNames('/tmp/x', recorded);
  names.learnSources(digest('11'));
  names.learnSources(digest('22'));
  expect(names.nameAll(digest('11'), digest('aa'))).toBe(digest('aa'));
  expect(names.nameAll(digest('22'), digest('aa'))).toBe(digest('22'));
  expect(names.nameAll(digest('11'), digest('bb'))).toBe(digest('11'));
  // Cut off in the middle, as an inspection prints it.
  expect(names.nameAll('sha256:1111111111…', 'sha256:aaaaaaaaaa…')).toBe('sha256:aaaaaaaaaa…');
  // What is no digest of sources is compared as it is.
  expect(names.nameAll(digest('22'), digest('cc'))).toBe(digest('22'));
  expect(names.nameAll(digest('33'), digest('bb'))).toBe(digest('33'));
});
