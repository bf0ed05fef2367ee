import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runKit } from '../src/build/index.ts';

const COMMAND = fileURLToPath(new URL('../dist/bin.js', import.meta.url));
const HEAD = `import { act, action, skill, terminal, type } from '@skillyard/kit';
export default skill({ name: 'slip', description: 'Slips.', entry: 'one' })
`;

let work: string;
beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), 'kit-mistakes-'));
});
afterAll(() => {
  rmSync(work, { recursive: true });
});

/** @returns its exit code and what it says on stderr, of a skill whose first step stands in line 3 */
async function kit(command: string, step: string, ...more: string[]): Promise<[number, string]> {
  writeFileSync(join(work, 'skill.ts'), `${HEAD}  .step('one', ${step})\n  .build();\n`);
  let stderr = '';
  const code = await runKit([command, 'skill.ts', ...more], {
    cwd: work,
    env: {},
    input: (async function* nothing(): AsyncGenerator<string> {})(),
    stdout: () => undefined,
    stderr: (text) => (stderr += text),
  });
  return [code, stderr];
}

describe('an author is told what is wrong, in which step and in which line', () => {
  it.each([
    [
      'a prompt that throws',
      `{ prompt: () => { throw new Error('no weather'); }, next: terminal }`,
      'The prompt of step one failed: no weather (skill.ts:3:',
    ],
    [
      'a question that is none',
      `{ prompt: () => act.askUser({ type: 'structured', question: 'Q?', options: [] }), next: terminal }`,
      /The prompt of step one failed: act.askUser: .* \(skill\.ts:3:/,
    ],
    [
      'a prompt that waits',
      `{ prompt: async () => 'late', next: terminal }`,
      /The prompt of step one failed: .*a prompt cannot wait/,
    ],
    [
      'a reference that is not there',
      `{ prompt: ({ refs }) => refs.load('no.md'), next: terminal }`,
      /The prompt of step one failed: reference "no.md" .* \(skill\.ts:3:/,
    ],
    [
      'an action that throws',
      `{ action: () => { throw new Error('disk is full'); }, next: terminal }`,
      /Action one of step one failed: disk is full \(skill\.ts:3:/,
    ],
    [
      'a save that throws',
      `{ save: () => { throw new Error('no pen'); }, next: terminal }`,
      'error: no pen (skill.ts:3:',
    ],
    [
      'a next that throws',
      `{ next: () => { throw new Error('no map'); } }`,
      'The next of step one failed: no map (skill.ts:3:',
    ],
    [
      'a branch that throws',
      `{ next: [{ to: 'one', when: () => { throw new Error('no map'); } }] }`,
      'The when of step one for "one" failed: no map (skill.ts:3:',
    ],
    [
      'a mapInput that throws',
      `{ action: { run: action({ name: 'act', input: type({}), output: type({}), run: () => ({}) }), mapInput: () => { throw new Error('no ink'); } }, next: terminal }`,
      'The mapInput of step one failed: no ink (skill.ts:3:',
    ],
    [
      'a step without next',
      `{ prompt: 'P' }`,
      /cannot be loaded: step "one": next is required.* \(skill\.ts:3:/,
    ],
    [
      'a response that is no schema',
      `{ prompt: 'P', response: { type: 'object' }, next: terminal }`,
      /step "one": response is no schema; give one of ArkType.* \(skill\.ts:3:/,
    ],
    [
      'an action whose output is no schema',
      `{ action: { run: action({ name: 'act', input: type({}), output: {}, run: () => ({}) }) }, next: terminal }`,
      /action "act": output is no schema; .* \(skill\.ts:3:/,
    ],
    [
      'a type that there is not',
      `{ prompt: 'P', response: type({ a: 'strin' }), next: terminal }`,
      /'strin' is unresolvable \(skill\.ts:3:/,
    ],
  ])('%s', async (_, step, message) => {
    const [code, stderr] = await kit('run', step, 'start');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: [^\n]*\n$/);
    expect(stderr).toMatch(message);
  });

  it('finds before a run that the form of an answer cannot be told', async () => {
    const [code, stderr] = await kit(
      'check',
      `{ prompt: 'P', response: type({ a: 'Date' }), next: terminal }`,
    );
    expect(code).toBe(1);
    expect(stderr).toMatch(/✗ no-json-schema \[one\]: a schema of arktype cannot be written as JSON Schema/);
  });

  it('says which commands there are', async () => {
    expect(await kit('biuld', '{ next: terminal }')).toEqual([
      1,
      'error: unknown command "biuld": there are build, check, run and dev\n',
    ]);
  });

  it('ends dev when it is interrupted, though an action runs', async () => {
    const step = `{ action: () => new Promise((r) => { process.stdout.write('acts'); setTimeout(r, 1e6); }), next: terminal }`;
    writeFileSync(join(work, 'slow.ts'), `${HEAD}.step('one', ${step}).build();`);
    const dev = spawn(process.execPath, [COMMAND, 'dev', 'slow.ts'], { cwd: work });
    let said = '';
    dev.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    dev.stdout.on('data', (chunk: Buffer) => {
      if (chunk.includes('acts')) dev.kill('SIGINT');
    });
    const [code] = (await once(dev, 'close')) as [number];
    expect(code).toBe(1);
    expect(said).toBe('error: Action one of step one was cancelled\n');
  });

  it.each([
    ['an action', HEAD + `.step('one', { action: () => new Promise(() => {}), next: terminal }).build();`],
    ['its own loading', `await new Promise(() => {});\n${HEAD}.step('one', { next: terminal }).build();`],
  ])('says that a skill waits for ever in %s, instead of ending without a word', (_, text) => {
    writeFileSync(join(work, 'stuck.ts'), text);
    const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, 'run', 'stuck.ts', 'start'], {
      cwd: work,
      encoding: 'utf8',
    });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^error: the skill waits for something that can never happen: [^\n]*\n$/);
  });
});
