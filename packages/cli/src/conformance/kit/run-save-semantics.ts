import { skill, type SkillDefinition, terminal, type } from '@skillyard/kit';
import { openRun } from '@skillyard/kit/test';
import type { CaseResult } from '../run-case.ts';
import { evaluate } from './evaluate.ts';
import { judge, type KitFolder, notRun } from './kit-folder.ts';

interface RecordedSave {
  readonly label: string;
  readonly next_prompt?: string;
  readonly completed?: unknown;
  readonly stderr_warnings?: number;
  readonly throws?: string;
}

interface Saving {
  readonly acts?: true;
  readonly save?: () => unknown;
}

/** What a step does besides answering `{n: 5}`, by what a recording calls it. */
const SAVINGS: Readonly<Record<string, Saving>> = {
  'no save, no action': {},
  'no save, action': { acts: true },
  'save returns undefined': { save: () => undefined },
  'save returns null': { save: () => null },
  'save returns {}': { save: () => ({}) },
  'save returns {} with action': { acts: true, save: () => ({}) },
  'save {step}': { save: () => ({ step: 'only' }) },
  'save {step: undefined} with action': { acts: true, save: () => ({ step: undefined }) },
  'save {step: null}': { save: () => ({ step: null }) },
  'save {step: 0}': { save: () => ({ step: 0 }) },
  'save sub-store partial top level': { save: () => ({ env: { h: 'x' } }) },
  'save sub-store partial nested': { save: () => ({ env: { deep: { x: 1 } } }) },
  'save undeclared store': { save: () => ({ other: { h: 'x' } }) },
  'save wrong type (warned, still written)': { save: () => ({ env: { h: 5 } }) },
  'save non-object store value': { save: () => ({ env: 'str' }) },
  'save throws': {
    save: () => {
      throw new Error('boom');
    },
  },
};

/** Runs the recorded ways to save: what the next step sees, what is recorded, and whether it is warned of. */
export async function runSaveSemantics(
  recording: unknown,
  name: string,
  folder: KitFolder,
): Promise<CaseResult[]> {
  const results: CaseResult[] = [];
  for (const { label, ...recorded } of recording as readonly RecordedSave[]) {
    const entry = { name, entry: label, title: label, tags: [...folder.tags.of(name, label), 'thrown'] };
    const saving = savingOf(label);
    if (saving === undefined) {
      results.push(notRun(entry, `this version does not know the label "${label}"`));
    } else {
      results.push(judge(entry, { recorded, actual: await outcomeOf(saving) }));
    }
  }
  return results;
}

/** A label may tell the value that is saved, as source text. */
function savingOf(label: string): Saving | undefined {
  if (Object.hasOwn(SAVINGS, label)) return SAVINGS[label];
  const [, literal, acts] = /^save (?:returns )?([[{'"\d].*?|true|false)( with action)?$/.exec(label) ?? [];
  if (literal === undefined) return undefined;
  try {
    const value = evaluate(literal);
    return { ...(acts === undefined ? {} : { acts: true }), save: () => value };
  } catch {
    return undefined;
  }
}

async function outcomeOf(saving: Saving): Promise<unknown> {
  const warnings: string[] = [];
  const run = openRun(definitionOf(saving), { warn: (line) => warnings.push(line) });
  await run.start();
  try {
    const result = await run.advance('a', { n: 5 });
    if (result.kind !== 'prompt') return { kind: result.kind };
    const { prompt, completed } = result;
    return {
      next_prompt: prompt,
      completed: JSON.parse(JSON.stringify(completed)) as unknown,
      stderr_warnings: warnings.length,
    };
  } catch (error) {
    return { throws: error instanceof Error ? error.message : String(error) };
  }
}

function definitionOf({ acts, save }: Saving): SkillDefinition {
  const stores = { env: type({ h: 'string', deep: { x: 'number', y: 'number' } }) };
  const config = {
    prompt: 'p',
    response: type({ n: 'number' }),
    ...(acts === undefined ? {} : { action: () => ({ act: 1 }) }),
    ...(save === undefined ? {} : { save }),
    next: 'b',
  };
  return (
    skill({ name: 'saving', entry: 'a', stores })
      // What these give is wrong on purpose, and the types know.
      .step('a', config as never)
      .step('b', {
        prompt: ({ store }) => {
          const { steps, env = null } = store as unknown as { steps: { a: unknown }; env?: unknown };
          return JSON.stringify({ a: steps.a, env });
        },
        next: terminal,
      })
      .build()
  );
}
