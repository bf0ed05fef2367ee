import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorkplace, skill, type Workplace } from './cli-process.ts';

let place: Workplace;
beforeEach(async () => {
  place = await openWorkplace();
});
afterEach(() => place.remove());

const FLOW = skill([{ name: 'say', when: 'input is not empty', set: { var: 'answer', value: '"end" <b>' } }]);

describe('skillyard graph', () => {
  it('prints Mermaid text', async () => {
    await place.write({ 'skill.yaml': FLOW });
    const run = await place.run(['graph', 'skill.yaml']);
    expect(run.stdout).toMatch(/^flowchart TD\n {2}n_start\(\["start"\]\)\n/);
    expect(run.stdout).toContain(
      'n_0("say #40;set#41;<br/>answer = #34;end#34; #60;b#62;<br/>when#58; input is not empty")',
    );
    expect(run.code).toBe(0);
  });

  it('writes a picture into a file named *.svg', async () => {
    await place.write({ 'skill.yaml': FLOW });
    const run = await place.run(['graph', 'skill.yaml', '--out', 'flow.svg']);
    expect([run.stdout, run.stderr, run.code]).toEqual(['', 'flow.svg is written\n', 0]);
    expect(await readFile(join(place.folder, 'flow.svg'), 'utf8')).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
  });

  it('overwrites a graph and nothing else, and draws no other kinds of picture', async () => {
    await place.write({ 'skill.yaml': FLOW });
    expect((await place.run(['graph', 'skill.yaml', '--out', 'flow.svg'])).code).toBe(0);
    expect((await place.run(['graph', 'skill.yaml', '--out', 'flow.svg'])).code).toBe(0);
    const self = await place.run(['graph', 'skill.yaml', '--out', 'skill.yaml']);
    expect(self.stderr).toContain('skill.yaml is there already and is no graph');
    expect(self.code).not.toBe(0);
    expect(await readFile(join(place.folder, 'skill.yaml'), 'utf8')).toBe(FLOW);
    const picture = await place.run(['graph', 'skill.yaml', '--out', 'flow.png']);
    expect([picture.code, picture.stderr]).toEqual([2, expect.stringContaining('ends with .svg')]);
  });

  it('with --json gives the graph as data', async () => {
    await place.write({ 'skill.yaml': FLOW });
    const run = await place.run(['graph', 'skill.yaml', '--format', 'svg', '--json']);
    expect(JSON.parse(run.stdout)).toMatchObject({
      file: 'skill.yaml',
      format: 'svg',
      text: expect.stringMatching(/^<svg /) as string,
      graph: { nodes: [{ id: 'start' }, { id: '0', kind: 'set' }, { id: 'end' }], edges: [{}, {}] },
      out: null,
    });
  });

  it('refuses a skill without a flow, one with mistakes, and a file that cannot be written', async () => {
    const header = 'skill_engine_version: "2.5.0"\nname: talk\ndescription: d\n';
    await place.write({ 'talk.yaml': `${header}playbook: talk\n`, 'bad.yaml': '- a\n', 'skill.yaml': FLOW });
    const runs = await Promise.all([
      place.run(['graph', 'talk.yaml']),
      place.run(['graph', 'bad.yaml']),
      place.run(['graph', 'skill.yaml', '--out', 'no/such/folder.svg']),
    ]);
    expect(runs[0]?.stderr).toMatch(/error SKILL_INVALID: talk\.yaml has no workflow/);
    expect(runs[1]?.stderr).toMatch(/bad\.yaml:1:1: error SKILL_ROOT/);
    expect(runs[2]?.stderr).toMatch(/error FILE_UNWRITABLE: no\/such\/folder\.svg cannot be written/);
    expect(runs.map(({ code }) => code)).toEqual([2, 2, 2]);
  });
});
