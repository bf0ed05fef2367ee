/** What docs/kit shows of the examples is in them, word for word: a page that drifts away is no help. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** In a folder of its own; the page names the command of the clone. */
const COMMAND = `"${process.execPath}" "${join(ROOT, 'packages/cli/dist/main.js')}"`;

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

  it('give commands that do what they are there for', () => {
    const work = mkdtempSync(join(tmpdir(), 'kit-guide-'));
    symlinkSync(join(ROOT, 'examples'), join(work, 'examples'));
    const guide = readFileSync(join(ROOT, 'docs/kit/guide.md'), 'utf8');
    const lines = [...guide.matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
      .flatMap(([, block = '']) => block.trim().split('\n'))
      // Turns want a person to ask.
      .filter((line) => !line.includes('skillyard -- run'))
      // Folders of the guide first: the command itself may lie below one of that name.
      .map((line) => line.replaceAll('/tmp/', `${work}/`).replace('npm run -s skillyard --', COMMAND));
    expect(lines.length).toBeGreaterThan(6);
    const ran = spawnSync('sh', ['-ec', lines.join('\n')], {
      cwd: work,
      env: { ...process.env, TMPDIR: work },
      input: '',
      encoding: 'utf8',
    });
    expect(ran).toMatchObject({ status: 0, stdout: expect.stringContaining('"step":"booking/when"') });
    rmSync(work, { recursive: true });
  }, 60_000);
});
