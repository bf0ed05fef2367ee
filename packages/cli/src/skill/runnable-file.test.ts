import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runnableFile, submittableFile } from './runnable-file.ts';

const cwd = mkdtempSync(join(tmpdir(), 'submittable-'));
afterAll(() => rmSync(cwd, { recursive: true }));
mkdirSync(join(cwd, 'built'));
writeFileSync(join(cwd, 'built/skill.yaml'), '');
mkdirSync(join(cwd, 'program'));
writeFileSync(join(cwd, 'program/skill.json'), '{"yield_version": "0.2.0"}');

describe('what a running system is handed', () => {
  it('is a file as it was named, or the skill file of a built folder', () => {
    expect(submittableFile('flow.yaml', cwd)).toBe('flow.yaml');
    expect(submittableFile('built', cwd)).toBe(join('built', 'skill.yaml'));
  });

  it('is no source: workers do not build', () => {
    expect(() => submittableFile('skill.ts', cwd)).toThrow(/build it into a folder/);
  });

  it('is no program that nobody has built', async () => {
    const advice = /skillyard program build program/;
    expect(() => submittableFile('program', cwd)).toThrow(advice);
    await expect(runnableFile('program', cwd)).rejects.toThrow(advice);
    for (const part of ['program/main.ts', 'program/skill.json'])
      await expect(runnableFile(part, cwd)).rejects.toThrow(/is run by its folder.* name program$/);
  });
});
