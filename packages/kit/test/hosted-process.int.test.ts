import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
});
