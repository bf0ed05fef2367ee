import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mockModel, runSkill } from '@skillyard/kit/test';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import janitor from './skill.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'janitor-'));
  for (const name of ['notes.md', 'server.log.1']) writeFileSync(join(folder, name), name);
});
afterEach(() => rmSync(folder, { recursive: true }));

const judgements = [
  { name: 'notes.md', verdict: 'keep', why: 'notes' },
  { name: 'server.log.1', verdict: 'aside', why: 'a rotated log' },
  { name: '../passwd', verdict: 'aside', why: 'because' },
];
const answers = { diagnose: { judgements }, report: { summary: 'Done.' } };

describe('disk-janitor', () => {
  it('sets aside what somebody agreed to, and only files of the folder', async () => {
    const model = mockModel({ ...answers, approve: { approved: true } });
    const { path } = await runSkill(janitor, { params: { folder }, model });
    expect(path).toEqual(['look', 'diagnose', 'approve', 'set-aside', 'report']);
    expect(readdirSync(join(folder, 'set-aside'))).toEqual(['server.log.1']);
  });

  it('moves nothing without consent', async () => {
    const model = mockModel({ ...answers, approve: { approved: false } });
    const { path } = await runSkill(janitor, { params: { folder }, model });
    expect(path).toEqual(['look', 'diagnose', 'approve', 'report']);
    expect(existsSync(join(folder, 'set-aside'))).toBe(false);
  });

  it('asks nobody when everything stays', async () => {
    const model = mockModel({ ...answers, diagnose: { judgements: judgements.slice(0, 1) } });
    const { path } = await runSkill(janitor, { params: { folder }, model });
    expect(path).toEqual(['look', 'diagnose', 'report']);
  });
});
