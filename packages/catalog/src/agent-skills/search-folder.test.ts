import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { searchFolder } from './search-folder.ts';
import { SearchReport } from './search-report.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skillyard-search-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('skill files that do not fit into the total any more are left out by name, later ones that do are taken', async () => {
  const sizes = {
    a: 60,
    b: 60,
    c: 40,
    '.agent/d': 1,
    ...Object.fromEntries(later.map((name) => [name, 30])),
  };
  for (const [name, size] of Object.entries(sizes)) {
    await mkdir(join(folder, name), { recursive: true });
    await writeFile(join(folder, name, 'SKILL.md'), 'é'.repeat(size / 2) + 'x'.repeat(size % 2));
  }
  const report = new SearchReport(false, 100);
  const found = await searchFolder(folder, 'skills', () => false, report);
  const kept = found.filter(({ text }) => typeof text === 'string').map(({ file }) => file);
  expect(kept).toEqual(['skills/a/SKILL.md', 'skills/c/SKILL.md']);
  const left = found.filter(({ text }) => typeof text !== 'string');
  expect(left.map(({ file }) => file)).toEqual(
    ['.agent/d', 'b', ...later].map((name) => `skills/${name}/SKILL.md`),
  );
  for (const { text } of left)
    expect(text).toMatchObject({ code: 'SKILL_FILES_TOO_LARGE', severity: 'error' });
});

/** More than are opened side by side. */
const later = Array.from({ length: 20 }, (_, index) => `later-${String(index).padStart(2, '0')}`);
