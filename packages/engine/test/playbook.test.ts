import { type JobId, turnId } from '@skillyard/contracts';
import { describe, expect, it } from 'vitest';
import {
  applyResult,
  compileProgram,
  loadSkill,
  loadTurn,
  modeOf,
  modesOf,
  type Skill,
  startTurn,
  type StateRecord,
} from '../src/index.ts';
import { Drive, type DriveOptions } from './drive.ts';

const PLAYBOOK = 'servers: [mill, depot]\nplaybook: |\n  Grind {{input}}, then {{asset:label}}.\n';
const request = (callId: string) => ({ callId, server: 'mill', tool: 'grind', args: {} });

function drive(vars: Record<string, string> = {}, header = PLAYBOOK, options: DriveOptions = {}): Drive {
  return new Drive('', { ...options, header, vars });
}

function skillOf(body: string): Skill {
  const { skill } = loadSkill(`skill_engine_version: 2.4.0\nname: a\ndescription: d\n${body}`);
  if (skill === null) throw new Error('the skill of this test does not load');
  return skill;
}

describe('a playbook turn', () => {
  it('is one generation that is told the playbook as it stands and asked the request', () => {
    const run = drive({ input: 'rye' });
    expect(run.open).toHaveLength(1);
    expect(run.generation).toMatchObject({
      id: 't.0.g0.0',
      step: 'playbook',
      system: 'Grind {{input}}, then {{asset:label}}.\n',
      instruction: 'rye',
      tools: ['mill', 'depot', 'builtin:activate_skill'],
      model: '',
      sampling: null,
    });
    run.answer({ text: 'done', usage: { inputTokens: 3, outputTokens: 1 } });
    expect(run.outcome).toMatchObject({
      status: 'completed',
      answer: 'done',
      answeredBy: 'instruction',
      vars: { answer: 'done' },
      usage: { generations: 1, calls: 0, inputTokens: 3, outputTokens: 1 },
    });
    expect(run.rows).toEqual(['playbook:ok']);
  });

  it('goes through the tool loop, and the playbook is told again in every round', () => {
    const run = drive({ input: 'rye' });
    run.answer({ toolRequests: [request('k1')] });
    run.answer({ text: 'ground' });
    expect(run.generation).toMatchObject({ round: 1, instruction: '', replies: [{ text: 'ground' }] });
    expect(run.generation.system).toContain('Grind');
    run.answer({ text: 'flour' });
    expect(run.row('playbook')).toMatchObject({ outcome: 'ok', calls: 1, kind: 'instruction' });
  });

  it('goes on from saved records in another process, playbook and all (M3)', () => {
    const skill = skillOf(PLAYBOOK);
    const first = startTurn(compileProgram(skill), { turnId: turnId('t'), vars: { input: 'rye' } }, 0);
    const generation = { jobId: 't.0.g0.0' as JobId, text: '', toolRequests: [request('k1')] };
    applyResult(first.turn, { ...generation, status: 'ok' }, 1);
    const records = JSON.parse(JSON.stringify(first.turn.save())) as StateRecord[];
    expect(JSON.stringify(records)).not.toContain('Grind');
    const turn = loadTurn(compileProgram(skill), records);
    const [job] = applyResult(turn, { jobId: 't.0.g0.0.c0' as JobId, status: 'ok', text: 'ground' }, 2).jobs;
    expect(job).toMatchObject({ id: 't.0.g0.1', kind: 'generate', round: 1, replies: [{ text: 'ground' }] });
    expect(job).toHaveProperty('system', 'Grind {{input}}, then {{asset:label}}.\n');
  });

  it('may call 32 times, then has to answer from what it has, and is degraded with the reason', () => {
    const run = drive({ input: 'rye' });
    for (let call = 0; call < 32; call++) {
      run.answer({ toolRequests: [request('k')] });
      run.answer({ text: 'ground' });
    }
    expect(run.generation.toolChoice).toBe('auto');
    run.answer({ toolRequests: [request('k')] });
    expect(run.generation.toolChoice).toBe('none');
    run.answer({ text: 'half of it' });
    expect(run.outcome).toMatchObject({ status: 'completed', answer: 'half of it', usage: { calls: 32 } });
    expect(run.row('playbook')).toMatchObject({ outcome: 'degraded', calls: 32 });
  });

  it('fails as the step fails: its name is in the message', () => {
    const run = drive({ input: 'rye' });
    run.answer({ status: 'error', error: { code: 'MODEL_REFUSED', message: 'no credit' } });
    expect(run.outcome).toMatchObject({
      status: 'failed',
      error: { code: 'MODEL_REFUSED', message: 'step "playbook": no credit' },
    });
  });

  it('is cancelled as any turn: its generation is dropped', () => {
    const run = drive({ input: 'rye' });
    run.cancel('enough');
    expect(run.dropped).toEqual(['t.0.g0.0']);
    expect(run.outcome?.status).toBe('cancelled');
    expect(run.rows).toEqual(['playbook:error']);
  });

  it('names the variables beside the request, in the order of the names, and leaves blank ones out', () => {
    const { generation } = drive({ team: 'red', input: 'rye', 'Grain size': '2', blank: ' ' });
    expect(generation.instruction).toBe('rye\n\nGrain size: 2\n\nteam: red');
    expect(drive({ team: 'red' }).generation.instruction).toBe('team: red');
  });

  it('puts nothing into what a variable says', () => {
    const { generation } = drive({ input: 'say {{team}} and {{asset:label}}', team: 'red' });
    expect(generation.instruction).toBe('say {{team}} and {{asset:label}}\n\nteam: red');
  });

  it('says so when there is no input: an endpoint refuses an empty message', () => {
    expect(drive().generation.instruction).toBe('There is no input.');
    expect(drive({ input: '' }).generation.instruction).toBe('There is no input.');
  });

  it('reaches the built-in tools the header names, beside its servers, each once', () => {
    const header = 'servers: [mill, mill]\nbuiltin_tools: [memory_read, activate_skill]\nplaybook: Work.';
    const radius = ['mill', 'builtin:memory_read', 'builtin:activate_skill'];
    expect(drive({}, header).generation.tools).toEqual(radius);
  });

  it('shows a value that is held by handle with its note: the model can read on', () => {
    const input = 'begin…\n[mem:m-1]';
    expect(drive({ input }, 'playbook: Work.').generation.instruction).toBe(input);
  });

  it('has the temperature of the header, and nothing of the workflow beside it', () => {
    const header = 'mode: playbook\ntemperature: 0.3\nplaybook: Work.';
    const run = new Drive('vars: {team: red}\ntools: [mill]\nsteps: [{set: {var: answer, value: x}}]', {
      header,
    });
    expect(run.generation).toMatchObject({
      sampling: { temperature: 0.3 },
      instruction: 'There is no input.',
      tools: ['builtin:activate_skill'],
    });
  });
});

describe('which half is compiled', () => {
  const both = 'playbook: Work.\nworkflow: {steps: [{exit: {}}]}';
  const kinds = (skill: Skill, mode?: 'workflow' | 'playbook') =>
    compileProgram(skill, mode).lists[0]?.map((step) => step.kind);

  it('is the one in effect: the workflow if there is one, unless mode says otherwise', () => {
    expect(kinds(skillOf(both))).toEqual(['exit']);
    expect(kinds(skillOf('playbook: Work.'))).toEqual(['instruction']);
    expect(kinds(skillOf(`mode: playbook\n${both}`))).toEqual(['instruction']);
  });

  it('is the other one when the caller asks for it', () => {
    expect(kinds(skillOf(both), 'playbook')).toEqual(['instruction']);
    expect(kinds(skillOf(`mode: playbook\n${both}`), 'workflow')).toEqual(['exit']);
    expect(modesOf(skillOf(both))).toEqual(['workflow', 'playbook']);
  });

  it('is never the other one in its place: a half that is missing is refused with SKILL_INVALID', () => {
    expect(() => modeOf(skillOf('playbook: Work.'), 'workflow')).toThrow(
      expect.objectContaining({ code: 'SKILL_INVALID' }),
    );
    expect(() => compileProgram(skillOf('playbook: Work.'), 'workflow')).toThrow(RangeError);
    expect(() => compileProgram(skillOf('workflow: {steps: [{exit: {}}]}'), 'playbook')).toThrow(RangeError);
  });
});
