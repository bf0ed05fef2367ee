/** What docs/program shows of the examples is in them, and its commands do what it says. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
/** In a folder of its own; the page names the command of the clone. */
const COMMAND = `"${process.execPath}" "${join(ROOT, 'packages/cli/dist/main.js')}"`;
const GUIDE = 'docs/program/guide.md';

interface Block {
  readonly place: string;
  readonly language: string;
  /** The file that the first line names; empty when it names none. */
  readonly file: string;
  readonly text: string;
}

const pages = ['README.md', ...readdirSync(join(ROOT, 'docs/program')).map((name) => `docs/program/${name}`)];
const blocks = pages.flatMap((page) => blocksOf(page));
const excerpts = blocks.filter(({ file }) => file.startsWith('examples/program/'));

function blocksOf(page: string): Block[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(/^```(\w+)\n(?:(?:\/\/|#) (\S+\/\S+)\n)?([\s\S]*?)^```$/gm)].map((match) => {
    const [, language = '', file = '', body = ''] = match;
    const line = text.slice(0, match.index).split('\n').length;
    return { place: `${page}:${line}`, language, file, text: body.trimEnd() };
  });
}

const work = mkdtempSync(join(tmpdir(), 'program-guide-'));
afterAll(() => rmSync(work, { recursive: true }));

describe('the pages of programs', () => {
  it('show code of the examples', () => {
    expect(excerpts.length).toBeGreaterThan(10);
  });

  it.each(excerpts)('show at $place what is in $file', ({ file, text }) => {
    expect(readFileSync(join(ROOT, file), 'utf8')).toContain(text);
  });

  it('lead from an empty folder to a program that was tested, registered and hosted', () => {
    cpSync(join(ROOT, 'examples/program'), join(work, 'examples/program'), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(work, 'node_modules'));
    const program = blocks.find(({ file }) => file === 'lost-keys/main.ts');
    const [init = '', ...others] = blocks
      .filter(({ place, language }) => place.startsWith(GUIDE) && language === 'sh')
      // Folders of the guide first: the command itself may lie below one of that name.
      .map(({ text }) => text.replaceAll('/tmp/', `${work}/`).replaceAll('npm run -s skillyard --', COMMAND));
    const begun = sh(init);
    writeFileSync(join(work, 'errands/lost-keys/main.ts'), program?.text ?? '');
    const ended = sh(others.join('\n'));
    expect(begun.status).toBe(0);
    expect(ended).toMatchObject({ status: 0, stderr: expect.not.stringContaining('skillyard-program:') });
    expect(ended.stdout.match(/reached completed/g)).toHaveLength(3);
    expect(ended.stdout).toContain('"id": "judge-plot-3"');
    expect(ended.stdout).toContain(
      '"title":"Dances after choir practice","place":"Nether Coombe","access":"closed"',
    );
  }, 120_000);
});

function sh(script: string): { status: number | null; stdout: string; stderr: string } {
  return spawnSync('sh', ['-ec', script], {
    cwd: work,
    env: { ...process.env, TMPDIR: work },
    input: '',
    encoding: 'utf8',
  });
}
