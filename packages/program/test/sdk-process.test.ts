import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const PROGRAMS = fileURLToPath(new URL('sdk/programs.ts', import.meta.url));
const JOURNAL = { run_id: 'run_1', skill: { name: 'crew', digest: `sha256:${'0'.repeat(64)}` }, entries: [] };

interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

describe('a program in its process', () => {
  let root: string;
  let parts: Metafile;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'sdk-process-'));
    const outfile = join(root, 'programs.mjs');
    const built = await build({
      entryPoints: [PROGRAMS],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile,
      metafile: true,
    });
    parts = built.metafile;
    await writeFile(join(root, 'journal.json'), JSON.stringify(JOURNAL));
  });
  afterAll(() => rm(root, { recursive: true }));

  const run = async (name: string, env: NodeJS.ProcessEnv = {}, cwd = root): Promise<Ended> => {
    const journal = { YIELD_JOURNAL: join(root, 'journal.json') };
    const options = { cwd, env: { ...journal, ...env }, maxBuffer: 64 * 1024 * 1024 };
    return new Promise((resolve) => {
      execFile(process.execPath, [join(root, 'programs.mjs'), name], options, (error, stdout, stderr) =>
        resolve({ exitCode: error === null ? 0 : Number(error.code), stdout, stderr }),
      );
    });
  };

  const below = async (folder: string, manifest: unknown) => {
    await mkdir(join(root, folder));
    await writeFile(join(root, folder, 'skill.json'), JSON.stringify(manifest));
    return join(root, folder);
  };

  it('loads nothing but the SDK and what Node has', () => {
    const foreign = Object.keys(parts.inputs).filter((path) => !/program\/(src|test)\//u.test(path));
    const loaded = Object.values(parts.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
    expect(foreign).toEqual([]);
    expect(loaded.filter((path) => !isBuiltin(path))).toEqual([]);
  });

  it('prints one line and ends, however long that is and whatever still runs', async () => {
    const [asks, isLong, lingers] = await Promise.all([run('asks'), run('is-long'), run('lingers')]);
    expect(asks).toMatchObject({ exitCode: 0, stderr: '' });
    expect(asks.stdout).toMatch(/^\{"type":"request",.*\}\n$/u);
    expect(isLong.stdout).toHaveLength(
      4_000_000 +
        '{"type":"terminal","terminal":{"status":"completed","result":""},"requirements":[]}\n'.length,
    );
    expect(lingers).toMatchObject({ exitCode: 0, stderr: '', stdout: expect.stringContaining('"done"') });
  });

  it('prints nothing on stdout when it fails', async () => {
    const [throws, waits] = await Promise.all([run('throws'), run('waits-for-ever')]);
    expect(throws).toMatchObject({ exitCode: 1, stdout: '' });
    expect(throws.stderr).toMatch(/^skillyard-program: the program failed: Error: kaboom\n {4}at /u);
    expect(waits).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringContaining('PROGRAM_ASYNC'),
    });
  });

  it('does not start without a journal that can be read', async () => {
    await writeFile(join(root, 'broken.json'), '{nope');
    const journals = ['', join(root, 'none.json'), join(root, 'broken.json')];
    const ended = await Promise.all(journals.map((path) => run('asks', { YIELD_JOURNAL: path })));
    expect(ended).toMatchObject(
      ['YIELD_JOURNAL is not set', 'ENOENT', 'SyntaxError'].map((why) => ({
        exitCode: 2,
        stdout: '',
        stderr: expect.stringContaining(why),
      })),
    );
  });

  it('does not start under a supervisor of another release', async () => {
    const cwd = await below('pinned', { version: 1, yield_version: '0.2.0' });
    const [same, other] = await Promise.all([
      run('asks', { YIELD_SUPERVISOR_VERSION: '0.2.0' }, cwd),
      run('asks', { YIELD_SUPERVISOR_VERSION: '0.1.9' }, cwd),
    ]);
    expect(same.exitCode).toBe(0);
    expect(other).toEqual({
      exitCode: 2,
      stdout: '',
      stderr:
        'skillyard-program: supervisor version 0.1.9 does not match yield_version 0.2.0 of skill.json\n',
    });
  });
});
