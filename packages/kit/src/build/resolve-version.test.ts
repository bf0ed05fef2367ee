import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { resolveVersion } from './resolve-version.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kit-version-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

it('takes the version of the nearest package.json that has one', async () => {
  const inner = join(folder, 'skills', 'tea');
  mkdirSync(inner, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"version": "3.1.0"}');
  writeFileSync(join(folder, 'skills', 'package.json'), '{"private": true}');
  writeFileSync(join(inner, 'package.json'), 'not JSON');
  expect(await resolveVersion(inner)).toBe('3.1.0');
});

it('has none where nothing has one', async () => {
  expect(await resolveVersion(folder)).toBeNull();
});
