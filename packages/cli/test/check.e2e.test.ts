import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorkplace, skill, type Workplace } from './cli-process.ts';

const EXAMPLES = fileURLToPath(new URL('../../../examples', import.meta.url));

let place: Workplace;
beforeEach(async () => {
  place = await openWorkplace();
});
afterEach(() => place.remove());

const STEPS = [
  { name: 'look', call: { tool: 'depot:list', save_as: 'rows' } },
  { name: 'tell', tools: [], instruction: 'Say {{rows}}.' },
];
const CONFIG = {
  servers: { depot: { command: 'depot', effects: { list: 'read' } } },
  models: { m: { provider: 'openai', model: 'm', price: { input: 100, output: 100 } } },
  default_model: 'm',
};

async function files(steps: readonly unknown[] = STEPS): Promise<void> {
  const header = { servers: ['depot'], trigger_examples: ['go'] };
  const file = { ...(JSON.parse(skill(steps, { tools: ['depot'] })) as object), ...header };
  await place.write({ 'skillyard.yaml': JSON.stringify(CONFIG), 'skill.yaml': JSON.stringify(file) });
}

describe('check', () => {
  it('says what a skill may do and what it may cost', async () => {
    await files();
    const run = await place.run(['check', 'skill.yaml']);
    expect(run.stdout).toMatch(/at most +1 generation, 1 call: 2 jobs/);
    expect(run.stdout).toMatch(/cost +0\.90\n/);
    expect(run.stdout).toMatch(/reaches +depot:list \(reads\) \(line 1, "look"\)/);
    expect(run.code).toBe(0);
  });

  it('says of code what its limits let through, and claims nothing of what they leave open', async () => {
    const code = { runtime: 'kit', file: 'bin/s.mjs', sha256: 'a'.repeat(64) };
    const checked = async (limits: object): Promise<string> => {
      const header = { skill_engine_version: '2.5.0', name: 's', description: 'Code.', mode: 'code' };
      await place.write({ 'skill.yaml': JSON.stringify({ ...header, code: { ...code, limits } }) });
      return (await place.run(['check', 'skill.yaml'])).stdout;
    };
    expect(await checked({})).toMatch(/at most +not known/);
    expect(await checked({ generations: 6 })).toMatch(/at most +6 generations, and calls without a limit/);
    expect(await checked({ generations: 6, calls: 2 })).toMatch(
      /at most +6 generations, 2 calls: code decides/,
    );
  });

  it('fails at a gate: a cost, or a tool that must not be reached', async () => {
    await files();
    const dear = await place.run(['check', 'skill.yaml', '--max-cost', '0.5']);
    expect(dear.stdout).toContain('refused: it may cost 0.90, more than 0.50');
    expect(dear.code).toBe(1);
    const reaching = await place.run([
      'check',
      'skill.yaml',
      '--forbid',
      'shell',
      '--forbid',
      'depot:list',
      '--json',
    ]);
    expect(JSON.parse(reaching.stdout)).toMatchObject({
      passed: false,
      files: [{ broken: ['line 1: "look" can reach depot:list'] }],
    });
    expect(reaching.code).toBe(1);
    expect((await place.run(['check', 'skill.yaml', '--max-cost', '1', '--forbid', 'shell'])).code).toBe(0);
  });

  it('counts what the sources of a skill give, of included skills too', async () => {
    await files([{ name: 'tell', instruction: 'Say it.' }]);
    const head = 'skill_engine_version: "2.5.0"\ndescription: d\ntrigger_examples: [go]\nplaybook: Work.\n';
    await place.write({
      'base.yaml': `${head}name: base\ntool_refs: ["depot:list"]\n`,
      'desk.yaml': `${head}name: desk\nincludes: [{skill: base}]\n`,
      'self.yaml': `${head}name: self\nincludes: [{skill: self}]\n`,
    });
    const reaching = await place.run(['check', 'desk.yaml', '--forbid', 'depot']);
    expect(reaching.stdout).toContain('"playbook" can reach depot');
    expect(reaching.code).toBe(1);
    expect((await place.run(['check', 'desk.yaml', '--forbid', 'shell'])).code).toBe(0);
    const circle = await place.run(['check', 'self.yaml']);
    expect(circle.stdout).toContain('INCLUDE_CYCLE');
    expect(circle.code).toBe(2);
    const valid = await place.run(['validate', 'desk.yaml']);
    expect(valid.stdout + valid.stderr).toContain('what its sources give');
  });

  it('refuses what validation refuses, a cost that is not known, and an amount that is none', async () => {
    await files([{ name: 'odd' }]);
    const refused = await place.run(['check', 'skill.yaml']);
    expect(refused.stdout).toMatch(/skill\.yaml:1:\d+: error /);
    expect(refused.code).toBe(2);
    await files([{ name: 'tell', tools: [], model: 'other', instruction: 'Say.' }]);
    const unknown = await place.run(['check', 'skill.yaml', '--max-cost', '1']);
    expect(unknown.stdout).toContain('refused: its cost is not known: "other" has no `price`');
    expect(unknown.code).toBe(1);
    const amount = await place.run(['check', 'skill.yaml', '--max-cost', 'much']);
    expect(amount.stderr).toContain('--max-cost "much" is no amount');
    expect(amount.code).toBe(2);
  });

  it('looks behind a delegation, and knows no cost of one', async () => {
    await files([{ name: 'ask', delegate: { skill: 'tryout-two', task: 'Go.' } }]);
    const two = JSON.parse(skill(STEPS, { name: 'tryout-two', tools: ['depot'] })) as object;
    await place.write({
      'two.yaml': JSON.stringify({ ...two, servers: ['depot'], trigger_examples: ['go'] }),
    });
    const reaching = await place.run(['check', 'skill.yaml', '--forbid', 'depot']);
    expect(reaching.stdout).toContain('refused: by way of "tryout-two", line 1: "look" can reach depot');
    expect(reaching.code).toBe(1);
    const dear = await place.run(['check', 'skill.yaml', '--max-cost', '5']);
    expect(dear.stdout).toContain('refused: its cost is not known: it delegates to "tryout-two" (line 1)');
    expect(dear.code).toBe(1);
    expect((await place.run(['check', 'skill.yaml', '--forbid', 'shell'])).code).toBe(0);
  });

  it('passes every form of the handbook', async () => {
    const handbook = fileURLToPath(new URL('../../../docs/handbook/', import.meta.url));
    const pages = (await readdir(handbook)).filter((name) => name.endsWith('.md'));
    const forms: Record<string, string> = {};
    for (const page of pages) {
      const text = await readFile(`${handbook}${page}`, 'utf8');
      for (const [index, [, form = '']] of [...text.matchAll(/^```yaml\n(.*?)^```/gms)].entries())
        if (form.includes('skill_engine_version')) forms[`forms/${page}-${index}.yaml`] = form;
    }
    expect(Object.keys(forms).length).toBeGreaterThanOrEqual(pages.length - 1);
    await place.write(forms);
    const run = await place.run(['check', 'forms', '--json']);
    const report = JSON.parse(run.stdout) as { passed: boolean; files: unknown[] };
    expect(report.files).toHaveLength(Object.keys(forms).length);
    expect(report.passed).toBe(true);
  });

  it('passes every example', async () => {
    const entries = await readdir(EXAMPLES, { withFileTypes: true });
    // Those are written in TypeScript and Python, and have nothing to check before they are built.
    const folders = entries
      .filter((entry) => entry.isDirectory() && !['kit', 'program'].includes(entry.name))
      .map(({ name }) => `${EXAMPLES}/${name}`);
    const run = await place.run(['check', ...folders, '--json']);
    const report = JSON.parse(run.stdout) as { passed: boolean; files: unknown[] };
    expect(report.files.length).toBeGreaterThanOrEqual(folders.length - 1);
    expect(report.passed).toBe(true);
  });
});
