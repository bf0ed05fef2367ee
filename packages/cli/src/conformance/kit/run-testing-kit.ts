import type { Buildable, SkillDefinition } from '@skillyard/kit';
import { mockModel, runComposite, runSkill } from '@skillyard/kit/test';
import { isRecord } from '../../is-record.ts';
import type { CaseResult } from '../run-case.ts';
import { judge, type KitFolder, notRun } from './kit-folder.ts';
import { recordedAnswers, recordedParams } from './recorded-params.ts';
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
      recordedAnswers(folder.transcripts),
      ...runs.map(({ result }) => result?.['outputs'] ?? {}),
    ) as Surroundings['answers'],
  };
  const results: CaseResult[] = [];
  for (const run of runs) {
    const entry = { name, entry: run.label, title: run.label, tags: folder.tags.of(name, run.label) };
    const calls = callsOf(run, surroundings);
    if (calls.length === 0) {
      results.push(notRun(entry, `this version does not know the label "${run.label}"`));
      continue;
    }
    const recorded = run.result ?? { message: run.message };
    const judged: CaseResult[] = [];
    for (const call of calls) {
      const actual = await outcomeOf(call, Object.keys(recorded));
      const outlines = { recorded: outlineOf(recorded), actual: outlineOf(actual) };
      judged.push(judge(entry, { recorded, actual, outlines }));
    }
    const first = judged.slice(0, 1);
    const passed = judged.filter(({ differences }) => differences.length === 0).slice(0, 1);
    results.push(...(passed.length > 0 ? passed : first));
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

/**
 * The calls that a recorded run can have been; empty when there is none. A result says what was answered, a message what
 * went wrong; the params are those of one of the transcripts.
 */
function callsOf(run: RecordedRun, surroundings: Surroundings): readonly Call[] {
  const [fn, name] = run.label.split(' ');
  const { skills } = surroundings;
  if (fn === 'runComposite') return compositeCalls(run, surroundings);
  if (fn !== 'runSkill') return [];
  if (run.result === undefined) return failingCalls(run.message ?? {}, surroundings);
  const path = (run.result['path'] ?? []) as readonly string[];
  const skill =
    skills.find((one) => one.name === name) ??
    skills.find(({ steps }) => path.every((step) => Object.hasOwn(steps, step)));
  return simple(skill, answersOf(run.result), surroundings);
}

function failingCalls(
  message: NonNullable<RecordedRun['message']>,
  surroundings: Surroundings,
): readonly Call[] {
  const { skills, composite, transcripts, answers } = surroundings;
  const [mentioned] = (message['mentions'] ?? []) as readonly string[];
  const step = String(mentioned ?? message['step']);
  const withStep = skills.filter(({ steps }) => Object.hasOwn(steps, step));
  const simply = (model: Answers): readonly Call[] =>
    withStep.flatMap((skill) => simple(skill, model, surroundings));
  const [, inTurn] = (message['numbers'] ?? []) as readonly number[];
  const { [step]: _answer, ...others } = constantly(answers);
  switch (message['$kit_error']) {
    case 'mock-model': {
      const some = Array.from({ length: inTurn ?? 0 }, () => answers[step]);
      return simply(inTurn === undefined ? others : { ...others, [step]: some });
    }
    case 'validation':
      return simply({ ...others, [step]: () => withFaults(answers[step], message['issues']) });
    case 'invalid-params': {
      const strict = skills.find(({ name }) => name === message['skill']);
      return recordedParams(transcripts, String(message['skill'])).flatMap((params) =>
        simple(strict, {}, surroundings, withFaults(params, message['issues'])),
      );
    }
    case 'unexpected':
      return simple(composite, constantly(answers), surroundings);
    default:
      return [];
  }
}

type Answers = Parameters<typeof mockModel>[0];

function simple(
  skill: SkillDefinition | undefined,
  model: Answers,
  { transcripts }: Surroundings,
  given?: unknown,
): readonly Call[] {
  if (skill === undefined) return [];
  const candidates = given === undefined ? recordedParams(transcripts, skill.name) : [given];
  return candidates.map((params) => () => runSkill(skill, { params, model: mockModel(model) }));
}

function compositeCalls(
  { label, result, message }: RecordedRun,
  { composite, transcripts }: Surroundings,
): readonly Call[] {
  const [unknown] = (message?.['mentions'] ?? []) as readonly unknown[];
  if (composite === undefined || (result === undefined && unknown === undefined)) return [];
  const [first = ''] = (result?.['path'] ?? []) as readonly string[];
  const isDirect = first.includes('/') || / direct\b/.test(label);
  const direct = result === undefined ? String(unknown) : isDirect ? first.split('/', 1)[0] : undefined;
  const model = (): Answers => (result === undefined ? {} : answersOf(result));
  return recordedParams(transcripts, composite.name, direct).map((params) => () => {
    const chosen = direct === undefined ? {} : { directSubskill: direct };
    return runComposite(composite, { params, model: mockModel(model()), ...chosen });
  });
}

/** What each step was answered: the last as it was given, those before it as they were taken, where all are known. */
function answersOf(result: NonNullable<RecordedRun['result']>): Answers {
  const outputs = (result['outputs'] ?? {}) as Readonly<Record<string, unknown>>;
  const path = (result['path'] ?? []) as readonly string[];
  const history = (result['history'] ?? []) as readonly {
    readonly step: string;
    readonly response: unknown;
  }[];
  const answers = Object.entries(outputs).map(([step, last]): [string, unknown] => {
    const taken = history.filter((entry) => entry.step === step).map(({ response }) => response);
    const isWhole = taken.length > 1 && taken.length === path.filter((one) => one === step).length;
    return [step, isWhole ? [...taken.slice(0, -1), last] : () => last];
  });
  return Object.fromEntries(answers);
}

/** A list would be answers one after another; each of these is one. */
function constantly(outputs: Readonly<Record<string, unknown>>): Answers {
  return Object.fromEntries(Object.entries(outputs).map(([step, answer]) => [step, () => answer]));
}

/** A value that has the faults that a message tells of. */
function withFaults(value: unknown, issues: unknown): Readonly<Record<string, unknown>> {
  const faulty = { ...(isRecord(value) ? value : {}) };
  for (const [, key = '', fault = '', was = ''] of String(issues).matchAll(
    /(?:^|; )"?(\w+)"?: ([^;]*)\(was ([^)]*)\)/g,
  )) {
    if (was === 'missing') delete faulty[key];
    else
      faulty[key] = /\blength\b/.test(fault)
        ? Array.from({ length: Number(was) }, () => '')
        : valueThatWas(was);
  }
  return faulty;
}

const KINDS: Readonly<Record<string, unknown>> = {
  'a string': 'x',
  'a number': 1,
  boolean: true,
  'an object': {},
  'an array': [],
};

function valueThatWas(was: string): unknown {
  if (Object.hasOwn(KINDS, was)) return KINDS[was];
  try {
    return JSON.parse(was) as unknown;
  } catch {
    return was;
  }
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
