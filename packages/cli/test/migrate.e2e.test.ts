import { chmod, lstat, mkdir, readdir, readFile, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorkplace, type Workplace } from './cli-process.ts';

const OLD = `\uFEFF# kept
skill_engine_version: "1.4.0" # spring\r
name: kiln
description: Fires pots.
workflow:
  assets:
    curve:
      kind: code
      lang: lua # dialect
      content: print(1)
  steps:
    - instruction: "Fire {{asset:curve}}"`;
const NEW = OLD.replace('1.4.0', '2.0.0').replace('      lang', '      params:\n        lang');
const TWICE =
  'skill_engine_version: "1.0.0"\nassets:\n  curve:\n    lang: lua\n    params: {a: b}\nplaybook: x\n';

let place: Workplace;
beforeEach(async () => {
  place = await openWorkplace();
});
afterEach(() => place.remove());

const path = (...parts: string[]): string => join(place.folder, ...parts);

describe('skillyard migrate', () => {
  it('shows what would change and why, and leaves the files alone', async () => {
    await place.write({ 'skills/old.yaml': OLD, 'skills/new.yaml': NEW, 'skills/other.yaml': 'a: b\n' });
    const run = await place.run(['migrate', 'skills']);
    expect(run.stdout).toContain(
      'skills/old.yaml:2:24: info MIGRATION: `skill_engine_version` is raised from 1.4.0',
    );
    expect(run.stdout).toContain(
      'skills/old.yaml:9:7: info MIGRATION: asset "curve": `lang` is moved under `params`',
    );
    expect(run.stdout).toContain('--- skills/old.yaml\n+++ skills/old.yaml\n@@ -1,12 +1,13 @@\n');
    expect(run.stdout).toContain(
      '-      lang: lua # dialect\n+      params:\n+        lang: lua # dialect\n',
    );
    expect(run.stdout).toContain('\\ No newline at end of file');
    expect(run.stdout).toContain('skills/other.yaml: skipped, it is no skill');
    expect(run.stdout).toContain('2 skills looked at, 1 would change; write them with --write');
    expect(run.code).toBe(0);
    expect(await readFile(path('skills/old.yaml'), 'utf8')).toBe(OLD);
  });

  it('writes with --write, byte for byte what was not to change, and keeps the permissions', async () => {
    await place.write({ 'old.yaml': OLD });
    await chmod(path('old.yaml'), 0o750);
    const run = await place.run(['migrate', 'old.yaml', '--write', '--json']);
    expect(JSON.parse(run.stdout)).toMatchObject({
      changed: true,
      files: [{ file: 'old.yaml', written: true, diagnostics: [], changes: [{ position: { line: 2 } }, {}] }],
    });
    expect(run.code).toBe(0);
    expect(await readFile(path('old.yaml'), 'utf8')).toBe(NEW);
    expect((await stat(path('old.yaml'))).mode & 0o777).toBe(0o750);
    expect(await readdir(place.folder)).toEqual(['old.yaml']);
    const again = await place.run(['migrate', 'old.yaml', '--write']);
    expect(again.stdout).toBe('1 skill looked at, nothing to change\n');
  });

  it('with --check exits with 1 when something would change, else with 0', async () => {
    await place.write({ 'old.yaml': OLD, 'new.yaml': NEW });
    expect((await place.run(['migrate', 'old.yaml', '--check'])).code).toBe(1);
    expect((await place.run(['migrate', 'new.yaml', '--check'])).code).toBe(0);
    expect(await readFile(path('old.yaml'), 'utf8')).toBe(OLD);
    const both = await place.run(['migrate', 'old.yaml', '--check', '--write']);
    expect(both.stderr).toMatch(/INPUT_INVALID: both --write and --check/);
    expect(both.code).toBe(2);
  });

  it('leaves alone what cannot be carried over, says where, and does the others', async () => {
    await place.write({
      'a.yaml': TWICE,
      'b.yaml': OLD,
      'c.yaml': 'name: [x\n',
      'd.yaml': 'skill_engine_version: 3.0.0\n',
    });
    const run = await place.run(['migrate', '.', '--write']);
    expect(run.stdout).toMatch(/^a\.yaml:4:5: error MIGRATION_REFUSED: The asset "curve" has both/m);
    expect(run.stdout).toMatch(/^c\.yaml:\d+:\d+: error SKILL_YAML: /m);
    expect(run.stdout).toMatch(/^d\.yaml:1:23: error VERSION_UNSUPPORTED: /m);
    expect(run.stdout).toContain('4 skills looked at, 1 changed, 3 left alone');
    expect(run.code).toBe(2);
    expect(await readFile(path('a.yaml'), 'utf8')).toBe(TWICE);
    expect(await readFile(path('b.yaml'), 'utf8')).toBe(NEW);
  });

  it('writes through a link inside the folder, and refuses one that leads out of it or nowhere', async () => {
    await place.write({ 'in/kept/old.yaml': OLD, 'out.yaml': OLD });
    await mkdir(path('in/links'));
    await symlink('../kept/old.yaml', path('in/links/a.yaml'));
    await symlink('../../out.yaml', path('in/links/b.yaml'));
    await symlink('nowhere.yaml', path('in/links/c.yaml'));
    await symlink('..', path('in/links/loop'));
    await symlink('/dev/zero', path('in/links/endless.yaml'));
    const run = await place.run(['migrate', 'in', '--write']);
    expect(run.stdout).toMatch(/error INPUT_INVALID: in\/links\/b\.yaml is a link to .*outside of/);
    expect(run.stdout).toMatch(/error FILE_UNREADABLE: in\/links\/c\.yaml /);
    expect(run.stdout).not.toContain('endless');
    expect(run.code).toBe(2);
    expect(await readFile(path('in/kept/old.yaml'), 'utf8')).toBe(NEW);
    expect((await lstat(path('in/links/a.yaml'))).isSymbolicLink()).toBe(true);
    expect(await readFile(path('out.yaml'), 'utf8')).toBe(OLD);
  });
});
