import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callProgram } from './call-program.ts';
import { makeSkill } from './make-skill.ts';

let work: string;
beforeAll(() => {
  work = realpathSync(mkdtempSync(join(tmpdir(), 'program-mistakes-')));
});
afterAll(() => {
  rmSync(work, { recursive: true });
});

async function complaint(line: string): Promise<string> {
  const { exitCode, stdout, stderr } = await callProgram(work, line);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  return stderr;
}

it('says what to do where the words of the protocol say only what is wrong', async () => {
  const folder = makeSkill(work, 'porter', `end('completed', { result: ask('who', { question: 'Who?' }) });`);
  const manifest = (members: object) => writeFileSync(join(folder, 'skill.json'), JSON.stringify(members));
  const cases: readonly (readonly [line: string, hint: string])[] = [
    ['respond', 'hint: skillyard-program respond <run id> (--value'],
    ['prune porter --older-than soon', 'hint: a duration'],
    ['respond run_1 --value Ida --skill porter', 'hint: `inspect` lists the runs'],
    ['respond run_1 --result-json Ida --skill porter', '--result-json \'"text"\''],
  ];
  for (const [line, hint] of cases) expect(await complaint(line)).toContain(hint);

  manifest({ version: 2, run: ['node', 'main.mjs'] });
  expect(await complaint('run porter')).toContain(
    'hint: skill.json begins with {"version": 1, "yield_version": "0.2.0"',
  );
  manifest({ version: 1, yield_version: '0.2.0', run: 'node main.mjs' });
  expect(await complaint('run porter')).toContain('hint: it is a list of words');
  manifest({ version: 1, yield_version: '0.2.0', run: ['no-such-python', 'main.py'] });
  expect(await complaint('run porter')).toContain('hint: install no-such-python, or name another program');
  manifest({ version: 1, yield_version: '0.2.0', run: ['node', 'mian.mjs'] });
  expect(await complaint('doctor porter')).toContain('node is given "mian.mjs", which is not there');
});

it('begins no run with a program that is not built, or is not what its source says', async () => {
  await callProgram(work, 'init doorman --description Opens.');
  for (const verb of ['run', 'test'])
    expect(await complaint(`${verb} doorman`)).toBe(
      'skillyard-program: main.mjs is not built yet; run skillyard program build\n',
    );
  await callProgram(work, 'build doorman');
  expect((await callProgram(work, 'run doorman')).exitCode).toBe(0);
  writeFileSync(join(work, 'doorman/main.ts'), 'export {};');
  expect(await complaint('run doorman')).toContain('main.mjs is not built from main.ts as it is now');
});

it('refuses what only types would refuse, with the place in the program', async () => {
  const folder = join(work, 'janitor');
  await callProgram(work, 'init janitor --language javascript --description Opens.');
  writeFileSync(
    join(folder, 'main.js'),
    `import { main } from '@skillyard/program';\nmain((ctx) => ctx.askUser('open', 'Open?', ['yes', 'no']));\n`,
  );
  await callProgram(work, 'build janitor');
  expect(await complaint('run janitor')).toMatch(
    /the options of "open" are no list of objects[\s\S]*main\.js:2:/,
  );

  await callProgram(work, 'init keeper --language python --description Opens.');
  const starter = readFileSync(join(work, 'keeper/main.py'), 'utf8');
  writeFileSync(join(work, 'keeper/main.py'), starter.replace('def program', 'async def program'));
  expect(await complaint('run keeper')).toContain(
    'TypeError: the program is async: write it without async and await',
  );
});

it('says how a run goes on whose program is wrong, and which manifest counts', async () => {
  makeSkill(work, 'usher', `sh('bell', 'true'); throw new Error('lost');`);
  expect(await complaint('run usher')).toMatch(
    /failed: exit status 1\nhint: .*`resume run_\w+ --accept-new-digest`/,
  );
  const { exitCode, stderr } = await callProgram(work, 'init usher --language python --description Shows.');
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: 'note: skill.json stays as it is, and says which program is run\n',
  });
});
