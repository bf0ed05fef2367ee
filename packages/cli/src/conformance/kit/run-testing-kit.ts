import type { Buildable, SkillDefinition } from '@skillyard/kit';
import { mockModel, runComposite, runSkill } from '@skillyard/kit/test';
import { isRecord } from '../../is-record.ts';
import type { CaseResult } from '../run-case.ts';
import { judge, type KitFolder, notRun } from './kit-folder.ts';
import { recordedParams } from './recorded-params.ts';
import type { CliTranscript } from './run-cli-transcript.ts';

interface RecordedRun {
  readonly label: string;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly throws?: string;
  readonly message?: Readonly<Record<string, unknown>>;
}

/** What the calls of one file are made of. */
interface Surroundings {
  readonly skills: readonly SkillDefinition[];
  readonly transcripts: readonly CliTranscript[];
  /** The skill that the recorded runs of a composite are of. */
  readonly composite: SkillDefinition | undefined;
  /** An answer that was recorded for each step. */
  readonly answers: Readonly<Record<string, unknown>>;
}

type Call = () => Promise<unknown>;

/** Runs the recorded runs of the testing kit. */
export async function runTestingKit(
  recording: unknown,
  name: string,
  folder: KitFolder & { readonly transcripts: readonly CliTranscript[] },
): Promise<CaseResult[]> {
  const runs = recording as readonly RecordedRun[];
  const { workspace } = folder;
  const definitions = await Promise.all(workspace.skills.map((skill) => workspace.definition(skill)));
  const skills = definitions.filter(isSkill);
  const surroundings: Surroundings = {
    skills,
    composite: skills.find((skill) => runs.every((run) => isOfComposite(run, skill))),
    transcripts: folder.transcripts,
    answers: Object.assign(
      {},
      ...runs.map(({ result }) => result?.['outputs'] ?? {}),
    ) as Surroundings['answers'],
  };
  const results: CaseResult[] = [];
  for (const run of runs) {
    const entry = { name, entry: run.label, title: run.label, tags: folder.tags.of(name, run.label) };
    const call = callOf(run, surroundings);
    if (call === null) {
      results.push(notRun(entry, `this version does not know the label "${run.label}"`));
      continue;
    }
    const recorded = run.result ?? { message: run.message };
    const actual = await outcomeOf(call, Object.keys(recorded));
    const outlines = { recorded: outlineOf(recorded), actual: outlineOf(actual) };
    results.push(judge(entry, { recorded, actual, outlines }));
  }
  return results;
}

function isSkill(definition: Buildable): definition is SkillDefinition {
  return definition.kind === 'skill';
}

/** Whether a run can be one of this composite: it begins with a step of it or of a sub-skill of it. */
function isOfComposite({ label, result }: RecordedRun, { steps, subskills }: SkillDefinition): boolean {
  if (subskills === undefined) return false;
  if (!label.startsWith('runComposite') || result === undefined) return true;
  const [first = ''] = (result['path'] ?? []) as readonly string[];
  return Object.hasOwn(steps, first) || Object.hasOwn(subskills, first.split('/', 1)[0] ?? '');
}

/** The call that a label means; null when it is unknown. */
function callOf(run: RecordedRun, surroundings: Surroundings): Call | null {
  const [fn, ...words] = run.label.split(' ');
  const names = (run.message?.['mentions'] ?? []) as readonly string[];
  const outputs = (run.result?.['outputs'] ?? {}) as Readonly<Record<string, unknown>>;
  const { skills, composite, answers } = surroundings;
  const withStep = (step: unknown): SkillDefinition | undefined =>
    skills.find((skill) => typeof step === 'string' && Object.hasOwn(skill.steps, step));
  if (fn === 'runComposite') return compositeCall(run, words.join(' '), surroundings);
  if (fn !== 'runSkill') return null;
  if (run.result !== undefined) {
    return simple(
      skills.find(({ name }) => name === words[0]),
      answersOf(outputs),
      surroundings,
    );
  }
  const step = names[0] ?? run.message?.['step'];
  switch (words.join(' ')) {
    case 'array exhausted':
      return simple(withStep(step), { [String(step)]: [answers[String(step)]] }, surroundings);
    case 'missing entry':
      return simple(withStep(step), {}, surroundings);
    case 'invalid answer':
      return simple(withStep(step), { [String(step)]: answerWith(run.message?.['issues']) }, surroundings);
    case 'invalid params':
      return simple(
        skills.find(({ name }) => name === run.message?.['skill']),
        {},
        { ...surroundings, transcripts: [] },
      );
    case 'on a redirecting composite':
      return simple(composite, answersOf(answers), surroundings);
    default:
      return null;
  }
}

type Answers = Parameters<typeof mockModel>[0];

function simple(
  skill: SkillDefinition | undefined,
  model: Answers,
  { transcripts }: Surroundings,
): Call | null {
  if (skill === undefined) return null;
  const params = recordedParams(transcripts, skill.name);
  return () => runSkill(skill, { params, model: mockModel(model) });
}

function compositeCall(
  { result, message }: RecordedRun,
  words: string,
  { composite, transcripts }: Surroundings,
): Call | null {
  if (composite === undefined) return null;
  const mentioned = (message?.['mentions'] ?? []) as readonly unknown[];
  const target = isRecord(result?.['redirectedTo']) ? result['redirectedTo']['name'] : undefined;
  const direct = words === 'unknown subskill' ? mentioned[0] : target;
  const isDirect = words === 'direct subskill' || words === 'unknown subskill';
  if (!isDirect && !/^(?:topic|subskill)\b/.test(words)) return null;
  const params = recordedParams(transcripts, composite.name, isDirect ? String(direct) : undefined);
  const model = mockModel(answersOf((result?.['outputs'] ?? {}) as Readonly<Record<string, unknown>>));
  return () =>
    runComposite(composite, { params, model, ...(isDirect ? { directSubskill: String(direct) } : {}) });
}

/** A list would be answers one after another; each of these is one. */
function answersOf(outputs: Readonly<Record<string, unknown>>): Answers {
  return Object.fromEntries(Object.entries(outputs).map(([step, answer]) => [step, () => answer]));
}

/** An answer that has the faults that a message tells of. */
function answerWith(issues: unknown): Readonly<Record<string, unknown>> {
  const faults = [...String(issues).matchAll(/(?:^|; )(\w+): ([^;]*)\(was ([^)]*)\)/g)];
  const answers = faults.map(([, key = '', fault = '', was = '']): readonly [string, unknown] => {
    if (/\blength\b/.test(fault)) return [key, Array.from({ length: Number(was) }, () => '')];
    return [key, Number.isNaN(Number(was)) ? was : Number(was)];
  });
  return Object.fromEntries(answers.filter(([, was]) => was !== 'missing'));
}

/** @param keys those that were recorded */
async function outcomeOf(call: Call, keys: readonly string[]): Promise<unknown> {
  try {
    const result = JSON.parse(JSON.stringify(await call())) as Record<string, unknown>;
    return Object.fromEntries(keys.map((key) => [key, result[key]]));
  } catch (error) {
    return { message: error instanceof Error ? error.message : String(error) };
  }
}

function outlineOf(outcome: unknown): { kind: string } {
  const path = isRecord(outcome) ? outcome['path'] : undefined;
  // A step of a sub-skill may be named with or without it.
  const steps = Array.isArray(path) ? path.map((step) => String(step).replace(/^.*\//, '')) : ['thrown'];
  return { kind: steps.join(' ') };
}
