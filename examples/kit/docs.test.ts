/** What docs/kit shows of the examples is in them, word for word: a page that drifts away is no help. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../run-example.ts';

interface Excerpt {
  readonly place: string;
  readonly file: string;
  readonly lines: readonly string[];
}

const pages = ['README.md', ...readdirSync(join(ROOT, 'docs/kit')).map((name) => `docs/kit/${name}`)];
const excerpts = pages.flatMap((page) => excerptsOf(page));

/** Blocks that begin with the path of a file. */
function excerptsOf(page: string): Excerpt[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(/^```ts\n\/\/ (examples\/\S+)\n([\s\S]*?)^```$/gm)].map((match) => {
    const line = text.slice(0, match.index).split('\n').length;
    return { place: `${page}:${line}`, file: match[1] ?? '', lines: (match[2] ?? '').trimEnd().split('\n') };
  });
}

describe('the pages of the kit', () => {
  it('show code of the examples', () => {
    expect(excerpts.length).toBeGreaterThan(10);
  });

  it.each(excerpts)('show at $place what is in $file', ({ file, lines }) => {
    expect(readFileSync(join(ROOT, file), 'utf8')).toContain(lines.join('\n'));
  });
});
