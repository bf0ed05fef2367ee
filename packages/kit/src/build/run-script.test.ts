import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bunRunScript, nodeRunScript } from './run-script.ts';

const NODE_DIR = dirname(process.execPath);
const PROGRAM = 'console.log(JSON.stringify([process.env.SKILL_DIR, ...process.argv.slice(2)]));';

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'run script ')));
  mkdirSync(join(folder, 'scripts'));
  mkdirSync(join(folder, 'bin'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function run(
  script: string,
  path: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
) {
  const { status, stdout, stderr } = spawnSync(script, args, {
    cwd: '/',
    env: { PATH: path, ...env },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

function executable(file: string, content: string): string {
  const path = join(folder, file);
  writeFileSync(path, content);
  chmodSync(path, 0o755);
  return path;
}

describe('the script of a skill that Node runs', () => {
  it('runs the bundle with its arguments and tells it where it is', () => {
    const script = executable('scripts/run', nodeRunScript('tea'));
    writeFileSync(join(folder, 'bin/tea.mjs'), PROGRAM);
    const { status, stdout } = run(script, `${NODE_DIR}:/usr/bin:/bin`, ['--params', '{"a b": "$HOME"}'], {
      CDPATH: '/tmp',
    });
    expect({ status, stdout: JSON.parse(stdout) as unknown }).toEqual({
      status: 0,
      stdout: [folder, '--params', '{"a b": "$HOME"}'],
    });
  });

  it('finds its folder through a link', () => {
    const script = executable('scripts/run', nodeRunScript('tea'));
    writeFileSync(join(folder, 'bin/tea.mjs'), PROGRAM);
    symlinkSync('scripts/run', join(folder, 'first'));
    symlinkSync(join(folder, 'first'), join(folder, 'bin/second'));
    expect(script).toBe(join(folder, 'scripts/run'));
    expect(run(join(folder, 'bin/second'), `${NODE_DIR}:/usr/bin:/bin`).stdout).toBe(
      `${JSON.stringify([folder])}\n`,
    );
  });

  it('says what is missing where there is no Node, or an old one', () => {
    const script = executable('scripts/run', nodeRunScript('tea'));
    mkdirSync(join(folder, 'path'));
    for (const tool of ['bash', 'dirname', 'readlink'])
      symlinkSync(`/usr/bin/${tool}`, join(folder, 'path', tool));
    const path = join(folder, 'path');
    expect(run(`/usr/bin/env`, path, ['bash', script])).toMatchObject({
      status: 1,
      stdout: '',
      stderr: 'error: Node.js >= 20 is needed, and there is no node on the PATH\n',
    });
    executable('path/node', '#!/bin/sh\necho v18.20.4\n');
    expect(run(`/usr/bin/env`, path, ['bash', script]).stderr).toBe(
      'error: Node.js >= 20 is needed; this is v18.20.4\n',
    );
  });
});

describe('the script of a skill of executables', () => {
  it('runs the one of this platform', () => {
    const script = executable('scripts/run', bunRunScript('tea'));
    executable(`bin/tea-${process.platform}-${process.arch}`, '#!/bin/sh\necho "$SKILL_DIR" "$@"\n');
    expect(run(script, '/usr/bin:/bin', ['topics']).stdout).toBe(`${folder} topics\n`);
  });

  it('names those that there are when there is none for this platform', () => {
    const script = executable('scripts/run', bunRunScript('tea'));
    executable('bin/tea-plan9-mips', '');
    const { status, stderr } = run(script, '/usr/bin:/bin');
    expect(status).toBe(1);
    expect(stderr).toMatch(/^error: this skill is not built for \S+; it has:\ntea-plan9-mips\n$/);
  });
});
