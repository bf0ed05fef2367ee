import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { skillDigest } from '../src/skill/skill-digest.ts';
import { callProgram } from './call-program.ts';

let work: string;
beforeAll(() => {
  work = realpathSync(mkdtempSync(join(tmpdir(), 'program-build-')));
});
afterAll(() => {
  rmSync(work, { recursive: true });
});

const PROGRAM = `
import { main } from '@skillyard/program';
import { greeting } from './lib/greeting.ts';

main((ctx) => ({ said: greeting(ctx.askUser('name', 'Who is there?')) }));
`;

/** A journal in which the question of the program is answered. */
const JOURNAL = JSON.stringify({
  run_id: 'run_1',
  skill: { name: 'porter', digest: `sha256:${'0'.repeat(64)}` },
  entries: [
    {
      request: {
        id: 'name',
        kind: 'ask_user',
        payload: { question: 'Who is there?' },
        output_schema: {
          type: 'object',
          required: ['value'],
          additionalProperties: false,
          properties: { value: { type: 'string' } },
        },
      },
      response: {
        run_id: 'run_1',
        sequence: 1,
        request_id: 'name',
        status: 'completed',
        result: { value: 'Ida' },
      },
    },
  ],
});

async function porter(parent: string): Promise<string> {
  const folder = join(work, parent, 'porter');
  await callProgram(work, `init ${parent}/porter --description Opens.`);
  mkdirSync(join(folder, 'lib'));
  writeFileSync(join(folder, 'main.ts'), PROGRAM);
  writeFileSync(
    join(folder, 'lib/greeting.ts'),
    'export const greeting = (name: string) => `Good day, ${name}`;\n',
  );
  return folder;
}

it('makes one file of a program, which runs with Node alone wherever it is copied to', async () => {
  const folder = await porter('here');
  expect(await callProgram(work, 'build here/porter')).toMatchObject({ exitCode: 0, stderr: '' });
  const digest = await skillDigest(folder);
  expect(readFileSync(join(folder, 'skill.yaml'), 'utf8')).toContain(
    `sha256: "${digest.slice('sha256:'.length)}"`,
  );

  const copied = join(work, 'copied');
  for (const file of ['main.mjs', 'skill.json']) cpSync(join(folder, file), join(copied, file));
  writeFileSync(join(copied, 'journal.json'), JOURNAL);
  const env = { YIELD_JOURNAL: 'journal.json', YIELD_SUPERVISOR_VERSION: '0.2.0' };
  const printed = execFileSync(process.execPath, ['main.mjs'], { cwd: copied, env, encoding: 'utf8' });
  expect(JSON.parse(printed)).toMatchObject({
    terminal: { status: 'completed', result: { said: 'Good day, Ida' } },
  });

  // Turns find the version that they began with by its digest.
  await callProgram(work, `build ${(await porter('there/deeper')).slice(work.length + 1)}`);
  expect(await skillDigest(join(work, 'there/deeper/porter'))).toBe(digest);
});

it('is missed by the doctor when the sources are newer, and overwrites nothing that it did not make', async () => {
  const folder = await porter('doctored');
  const doctor = async (): Promise<string> => (await callProgram(work, 'doctor doctored/porter')).stderr;
  expect(await doctor()).toContain('  - main.mjs is not built yet; run skillyard program build\n');
  await callProgram(work, 'build doctored/porter');
  expect(await doctor()).toBe('');

  writeFileSync(join(folder, 'lib/greeting.ts'), 'export const greeting = String;\n');
  expect(await doctor()).toBe(`skillyard-program: doctor found problems:
  - main.mjs is not built from main.ts as it is now; run skillyard program build
  - skill.yaml names other sources than these; run skillyard program build
run skillyard program register to update generated adapters after fixing version errors
`);
  writeFileSync(join(folder, 'lib/greeting.ts'), 'export const greeting = ;\n');
  const broken = await callProgram(work, 'build doctored/porter');
  expect(broken.exitCode).toBe(1);
  expect(broken.stderr).toContain('lib/greeting.ts:1:24');

  for (const file of ['main.mjs', 'skill.yaml']) {
    const own = await porter(`own-${file}`);
    writeFileSync(join(own, file), '// mine\n');
    expect((await callProgram(work, `build own-${file}/porter`)).stderr).toContain('would be overwritten');
    expect(readFileSync(join(own, file), 'utf8')).toBe('// mine\n');
    expect(existsSync(join(own, 'main.mjs.map'))).toBe(false);
  }

  // Nor does it write where a link leads out of the folder.
  const linked = await porter('linked');
  symlinkSync(work, join(linked, 'out'));
  const manifest = readFileSync(join(linked, 'skill.json'), 'utf8');
  writeFileSync(join(linked, 'skill.json'), manifest.replace('main.mjs', 'out/main.mjs'));
  expect((await callProgram(work, 'build linked/porter')).stderr).toContain(
    'is not in the folder of the skill',
  );
  expect(existsSync(join(work, 'main.mjs'))).toBe(false);
});
