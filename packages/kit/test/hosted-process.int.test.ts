import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildSkill } from '../src/build/index.ts';

const SOURCE = `
import { skill, terminal } from '@skillyard/kit';
export default skill({ name: 'bakery', version: '1.0.0', description: 'Bakes bread.', entry: 'bake' })
  .step('bake', {
    prompt: ({ refs, host }) => {
      console.log('asked');
      process.stdout.write('{"stray": true}\\n');
      void Promise.reject(new Error('forgotten'));
      return refs.load('oven.md') + ' on ' + host.host;
    },
    next: terminal,
  })
  .build();
`;

/** Starts a host as a worker does, gives it a request, and says which process it is. */
const WORKER = `
const [file, line] = JSON.parse(process.argv[1]);
const { spawn } = require('node:child_process');
const host = spawn(process.execPath, [file, 'host'], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
host.stdin.write(line);
console.log(host.pid);
setInterval(() => {}, 1000);
`;

/** The time that a process has worked; 0 when it is gone. */
function cpuTicks(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return fields[0] === 'Z' ? 0 : Number(fields[11]);
  } catch {
    return 0;
  }
}

describe('the word `host` of a built skill', () => {
  let folder: string;
  let file: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'skillyard-host-'));
    await mkdir(join(folder, 'references'));
    await writeFile(join(folder, 'references/oven.md'), 'Heat the oven');
    await writeFile(join(folder, 'skill.ts'), SOURCE);
    const { dir, bundle } = await buildSkill(join(folder, 'skill.ts'), {
      outDir: join(folder, 'out'),
      mode: 'node',
    });
    file = join(dir, bundle!.file);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('answers on stdout alone, reads references, and ends with its input', async () => {
    const host = spawn(process.execPath, [file, 'host'], { stdio: 'pipe', cwd: tmpdir() });
    const event = { type: 'start', vars: {} };
    const lines = [1, 2].map((id) => JSON.stringify({ id, op: 'decide', turnId: 't', rounds: [], event }));
    host.stdin.write(`${lines.join('\n')}\n`);
    const answered = new Promise<void>((resolve) => {
      host.stdout.on('data', (chunk: Buffer) => chunk.toString().includes('"id":2') && resolve());
    });
    const [out, said] = [text(host.stdout), text(host.stderr)];
    await answered;
    host.stdin.end();
    const replies = (await out)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    const directive = { do: 'generate', instruction: '<prompt>\nHeat the oven on skillyard\n</prompt>' };
    expect(replies).toMatchObject([
      { id: 1, decision: { directive } },
      { id: 2, decision: { directive } },
    ]);
    expect(await said).toMatch(/asked[\s\S]*\{"stray": true\}[\s\S]*forgotten/);
    expect(host.exitCode ?? (await new Promise((resolve) => host.once('exit', resolve)))).toBe(0);
  });

  // How busy it is can be seen there alone.
  it.skipIf(process.platform !== 'linux')(
    'ends when its worker is killed, also in the middle of code that never comes back',
    async () => {
      const entry = join(folder, 'spin.ts');
      await writeFile(entry, SOURCE.replace("console.log('asked');", 'for (;;);'));
      const { dir, bundle } = await buildSkill(entry, { outDir: join(folder, 'spin'), mode: 'node' });
      const request = { id: 1, op: 'decide', turnId: 't', rounds: [], event: { type: 'start', vars: {} } };
      const given = JSON.stringify([join(dir, bundle!.file), `${JSON.stringify(request)}\n`]);
      const worker = spawn(process.execPath, ['-e', WORKER, given], { stdio: ['ignore', 'pipe', 'ignore'] });
      const pid = Number(await new Promise((resolve) => worker.stdout.once('data', resolve)));
      await vi.waitUntil(() => cpuTicks(pid) > 50, { timeout: 20_000 });
      worker.kill('SIGKILL');
      await vi.waitUntil(() => cpuTicks(pid) === 0, { timeout: 20_000 });
    },
  );
});
