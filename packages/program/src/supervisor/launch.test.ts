import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@skillyard/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Launch, launchProgram } from './launch.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'program-launch-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Runs a shell script as a program. */
function launch(script: string, options: Partial<Launch> = {}): Promise<string> {
  const manifest = {
    yieldVersion: '0.2.0',
    run: ['sh', '-c', script],
    language: '',
    source: null,
    hosted: undefined,
  } as const;
  return launchProgram({
    folder,
    manifest,
    journal: '{"entries":[]}',
    env: process.env,
    onStderr: () => {},
    ...options,
  });
}

it('gives a program its journal in a file of its own, and what it says on stderr to others', async () => {
  let said = '';
  const printed = await launch(
    'cat "$YIELD_JOURNAL"; echo $YIELD_SUPERVISOR_VERSION; ls -l "$YIELD_JOURNAL" >&2; pwd >&2',
    {
      onStderr: (text) => (said += text),
    },
  );
  expect(printed).toBe('{"entries":[]}0.2.0\n');
  expect(said).toContain('-rw-------');
  expect(said).toContain(folder);
  expect(
    readdirSync(tmpdir()).filter((name) => said.includes(name) && name.startsWith('skillyard-journal')),
  ).toEqual([]);
});

it.each([
  ['exit 3', 'skill program failed: exit status 3'],
  ['kill -9 $$', 'skill program failed: signal: SIGKILL'],
  ['yes', 'skill program failed: it printed more than 1000 bytes on stdout'],
  [String.raw`printf '\377'`, 'skill program failed: what it printed on stdout is no UTF-8'],
])('fails with a program that does %s', async (script, message) => {
  await expect(launch(script, { maxBytes: 1000 })).rejects.toMatchObject({ code: 'PROGRAM_FAILED', message });
});

it('says which program is not there', async () => {
  const manifest = {
    yieldVersion: '0.2.0',
    run: ['no-such-binary-zz'],
    language: '',
    source: null,
    hosted: undefined,
  } as const;
  await expect(launch('', { manifest })).rejects.toThrow(
    'skill program failed: exec: "no-such-binary-zz": executable file not found in $PATH',
  );
});

it('ends a program with all that it has started: at its time limit, when it is stopped, and when it is done', async () => {
  const beats = (name: string): number =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name)).length : 0;
  const child = (name: string): string =>
    `(while :; do printf x >> ${name}; sleep 0.02; done) & while [ ! -s ${name} ]; do sleep 0.01; done`;
  const stop = new AbortController();
  const stopped = launch(`${child('stopped')}; wait`, { signal: stop.signal });
  const late = launch(`${child('late')}; wait`, { timeoutMs: 700 });
  const failures = Promise.allSettled([stopped, late]);
  expect(await launch(`${child('done')}; echo {}`)).toBe('{}\n');
  await until(() => beats('stopped') > 0);
  stop.abort(new Error('no patience'));
  await failures;
  await expect(stopped).rejects.toThrow('no patience');
  await expect(late).rejects.toThrow('skill program failed: it was not done after 0.7 s');
  const names = ['stopped', 'late', 'done'];
  const counted = names.map(beats);
  // A beat that lives adds one in a fiftieth of a second; another shell takes longer to start and end than that.
  await launch('sleep 0.1');
  expect(names.map(beats)).toEqual(counted);
});
