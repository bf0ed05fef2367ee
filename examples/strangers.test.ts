/**
 * Skills that nobody of this project wrote, if there is a folder of them: SKILLYARD_STRANGERS, or a folder beside this
 * repository. They are not ours to copy, so they stay where they are.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { CallJob, GenerateJob, StepJob, StepResult } from '@skillyard/contracts';
import { compileProgram, loadSkill, type Skill } from '@skillyard/engine';
import { runTurn, type TurnReport } from '@skillyard/runtime';
import { describe, expect, it } from 'vitest';
import { pathOf, ROOT } from './run-example.ts';

const FOLDER = process.env['SKILLYARD_STRANGERS'] ?? resolve(ROOT, '../shared/strangers/flow-skills');
const isThere = existsSync(FOLDER);
if (!isThere) {
  console.warn(
    '\nNOT RUN: there is no folder of skill files by others. Set SKILLYARD_STRANGERS to one, and they are loaded and run.\n',
  );
}
const files = isThere ? readdirSync(FOLDER).filter((name) => /\.ya?ml$/.test(name)) : [];

function load(file: string): Skill {
  const loaded = loadSkill(readFileSync(join(FOLDER, file), 'utf8'), { file });
  if (loaded.skill === null) throw new Error(JSON.stringify(loaded.diagnostics, null, 2));
  return loaded.skill;
}

/** What the outside world answers: models by step name, tools by `server:tool`, assets and skills by their names. */
interface World {
  readonly models?: Readonly<Record<string, string | readonly string[]>>;
  readonly tools?: Readonly<Record<string, string>>;
  readonly assets?: Readonly<Record<string, string>>;
  readonly skills?: Readonly<Record<string, string>>;
}

interface Run extends TurnReport {
  readonly instructions: ReadonlyMap<string, GenerateJob>;
  readonly calls: readonly CallJob[];
}

async function run(skill: Skill, input: string, world: World): Promise<Run> {
  const instructions = new Map<string, GenerateJob>();
  const calls: CallJob[] = [];
  const asked = new Map<string, number>();
  const answer = (job: StepJob): string | undefined => {
    switch (job.kind) {
      case 'generate': {
        instructions.set(job.step, job);
        const given = [world.models?.[job.step] ?? []].flat();
        const nth = asked.get(job.step) ?? 0;
        asked.set(job.step, nth + 1);
        return given[Math.min(nth, given.length - 1)];
      }
      case 'call':
        calls.push(job);
        return world.tools?.[`${job.server}:${job.tool}`];
      case 'asset':
        return job.asset.content.trim() === '' ? world.assets?.[job.name] : job.asset.content;
      case 'delegate':
        return world.skills?.[job.skill];
      case 'ask':
      case 'decide':
      case 'memory':
        return undefined;
    }
  };
  const execute = (job: StepJob): StepResult => {
    const text = answer(job);
    const error = { code: 'STEP_FAILED', message: `nobody answers ${job.kind} "${job.step}" here` };
    if (text === undefined) return { jobId: job.id, status: 'error', text: '', error };
    return { jobId: job.id, status: text === '' ? 'empty' : 'ok', text };
  };
  const report = await runTurn({
    program: compileProgram(skill),
    turnId: 'stranger',
    vars: { input },
    execute,
  });
  return { ...report, instructions, calls };
}

const has = (name: string): boolean => files.includes(`${name}.yaml`);

describe.runIf(isThere)('skills of strangers', () => {
  it.each(files)('%s loads, or is no skill', (file) => {
    const loaded = loadSkill(readFileSync(join(FOLDER, file), 'utf8'), { file });
    expect(loaded.diagnostics.length === 0).toBe(file !== 'vocabulary.yaml');
    if (loaded.skill === null) {
      expect(loaded.diagnostics[0]).toMatchObject({ code: 'VERSION_MISSING', file });
      expect(loaded.diagnostics[0]?.message).toContain('does not look like a skill');
    }
  });

  it.each(files.filter((file) => file !== 'vocabulary.yaml'))(
    '%s ends even if nobody answers',
    async (file) => {
      const { outcome } = await run(load(file), 'anything', {});
      expect(['failed', 'exited', 'completed']).toContain(outcome.status);
      if (outcome.status === 'failed') expect(outcome.error?.message).toContain('step "');
    },
  );
});

describe.runIf(has('audit'))('audit', () => {
  const models = { understand: 'audit', judge: ['', 'Rule 3 is broken.'], report: 'One finding: rule 3.' };

  it('judges once more after a silence, and reports', async () => {
    const { outcome, steps, instructions } = await run(load('audit.yaml'), 'check this', { models });
    expect(outcome).toMatchObject({
      status: 'completed',
      answer: 'One finding: rule 3.',
      usage: { generations: 4 },
    });
    expect(pathOf(steps)).toEqual(['understand ok', 'if ok', 'judge ok', 'report ok']);
    // The profile gives the model and the guard, the step its own temperature.
    expect(instructions.get('judge')).toMatchObject({
      model: 'vllm/gemma-4-e4b',
      tools: [],
      sampling: { temperature: 0.2 },
    });
  });

  it('answers even if the judge stays silent and the report is empty', async () => {
    const silent = { ...models, judge: '', report: '' };
    const { outcome, steps } = await run(load('audit.yaml'), 'check this', { models: silent });
    expect(outcome.answer).toContain('produced nothing');
    expect(outcome.vars.findings).toContain('still empty after 3 runs');
    expect(pathOf(steps)[2]).toBe('judge degraded');
  });

  it('leaves what is not its request', async () => {
    const { outcome } = await run(load('audit.yaml'), 'sing', { models: { understand: 'other' } });
    expect(outcome).toMatchObject({ status: 'exited', usage: { generations: 1 } });
  });
});

describe.runIf(has('contract'))('contract', () => {
  const terms = '{"term": "1 year", "amount": "9", "payment": "late", "liability": "none"}';
  const models = { identify: 'contract', extract: terms, compare: 'Payment: rule 2.' };

  it('compares the terms with rules that it fetches', async () => {
    const assets = { policy: 'Rule 2: pay early.' };
    const { outcome, instructions } = await run(load('contract.yaml'), 'a contract', { models, assets });
    expect(outcome).toMatchObject({ status: 'completed', answer: 'Payment: rule 2.' });
    expect(instructions.get('compare')?.instruction).toContain('Rule 2: pay early.');
    expect(instructions.get('extract')?.responseSchema).toMatchObject({ type: 'object' });
  });

  it('fails rather than compares when the rules cannot be had', async () => {
    const { outcome } = await run(load('contract.yaml'), 'a contract', { models });
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'ASSET_UNAVAILABLE' } });
  });

  it('leaves another document', async () => {
    const { outcome } = await run(load('contract.yaml'), 'a poem', { models: { identify: 'other' } });
    expect(outcome).toMatchObject({
      status: 'exited',
      exitReason: 'the document does not look like a contract',
    });
  });
});

describe.runIf(has('expenses'))('expenses', () => {
  it('passes the script by value and the rows by handle, neither through a model', async () => {
    const { outcome, calls, instructions } = await run(load('expenses.yaml'), 'this month', {
      models: { understand: 'month', summary: 'Done.' },
      tools: {
        'ledger:list_transactions': '[{"category": "rent"…\n[mem:rows-1]',
        'sandbox:run': 'expenses.png',
      },
    });
    expect(outcome).toMatchObject({ status: 'completed', answer: 'Done.' });
    const [fetched, drawn] = calls;
    expect(fetched?.args).toEqual({ period: 'month' });
    expect(drawn?.args['code']).toContain('import matplotlib');
    expect(drawn?.args['stdin']).toEqual({ from: 'rows-1' });
    expect(drawn?.args['_deliver']).toEqual({ to: 'file' });
    for (const { instruction } of instructions.values()) expect(instruction).not.toMatch(/matplotlib|rent/);
  });
});

describe.runIf(has('menu'))('menu', () => {
  it('picks the sections that are named, without a model', async () => {
    const { outcome, calls } = await run(load('menu.yaml'), 'подбери десерт и напиток', {
      models: { answer: 'Cake and tea.' },
      tools: { 'recipes:search': 'found' },
    });
    expect(calls.map(({ args }) => args['section'])).toEqual(['dessert', 'drink']);
    expect(outcome).toMatchObject({ answer: 'Cake and tea.', skipped: ['nothing_named', 'pick_main'] });
    expect(outcome.usage.generations).toBe(1);
  });

  it('leaves when nothing is named', async () => {
    const { outcome } = await run(load('menu.yaml'), 'сколько времени', {});
    expect(outcome).toMatchObject({ status: 'exited', usage: { generations: 0, calls: 0 } });
  });
});

describe.runIf(has('proofread'))('proofread', () => {
  it('gives the style guide to the model that checks', async () => {
    const found = '{"issues": [{"quote": "more better", "rule": 3, "fix": "better"}]}';
    const models = { check: found, report: 'more better → better' };
    const { outcome, instructions } = await run(load('proofread.yaml'), 'more better', { models });
    expect(outcome.answer).toBe('more better → better');
    expect(instructions.get('check')?.instruction).toContain('One thought — one sentence.');
    expect(instructions.get('report')?.instruction).toContain(found);
  });
});

describe.runIf(has('research'))('research', () => {
  const models = {
    in_docs: 'docs say 1',
    in_forum: 'forum says 2',
    in_web: 'web says 3',
    answer: 'So it is.',
  };

  it('tells the answering step which source nobody visited', async () => {
    const understand = '{"topic": "queues", "need_web": false}';
    const { outcome, instructions } = await run(load('research.yaml'), 'q', {
      models: { ...models, understand },
    });
    expect(outcome).toMatchObject({ status: 'completed', answer: 'So it is.', skipped: ['in_web'] });
    expect(outcome.vars['sources']).toBe('docs say 1\n\nforum says 2');
    expect(instructions.get('answer')?.instruction).toContain('not visited: in_web');
    expect(instructions.get('in_docs')).toMatchObject({ tools: ['docs'], maxCalls: 3 });
  });

  it('visits the web when it is needed', async () => {
    const understand = '{"topic": "queues", "need_web": true}';
    const { outcome } = await run(load('research.yaml'), 'q', { models: { ...models, understand } });
    expect(outcome.vars['sources']).toBe('docs say 1\n\nforum says 2\n\nweb says 3');
    expect(outcome.vars['sources.skipped']).toBeUndefined();
  });
});

describe.runIf(has('triage'))('triage', () => {
  const models = { explain: 'Off by one.', ticket: 'Filed.' };

  it('explains an error in the code without any ticket', async () => {
    const { outcome, steps } = await run(load('triage.yaml'), 'r', {
      models: { ...models, classify: 'code' },
    });
    expect(outcome.answer).toBe('Off by one.');
    expect(pathOf(steps)).toEqual(['classify ok', 'switch ok', 'explain ok']);
  });

  it('gathers logs and files a ticket for an error of the environment', async () => {
    const world = {
      models: { ...models, classify: 'It is runtime, I think.' },
      skills: { logs: 'oom at 3:00' },
    };
    const { outcome, steps, instructions } = await run(load('triage.yaml'), 'r', world);
    expect(outcome.answer).toBe('Filed.');
    expect(pathOf(steps)).toEqual(['classify ok', 'switch ok', 'evidence ok', 'ticket ok']);
    expect(instructions.get('ticket')?.instruction).toContain('oom at 3:00');
  });
});

describe.runIf(has('weather'))('weather', () => {
  it('opens the page of the city and answers from it', async () => {
    const { outcome, calls } = await run(load('weather.yaml'), 'weather in New York', {
      models: { understand: '{"city": "new-york"}', answer: '12 degrees, overcast.' },
      tools: { 'browser:navigate': 'New York: 12, overcast' },
    });
    expect(calls[0]?.args).toEqual({ url: 'https://example-weather.test/new-york' });
    expect(outcome).toMatchObject({ status: 'completed', answer: '12 degrees, overcast.' });
  });
});
