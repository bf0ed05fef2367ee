import * as kit from '@skillyard/kit';
import { mockModel, runSkill } from '@skillyard/kit/test';
import { isRecord } from '../../is-record.ts';
import type { CaseResult } from '../run-case.ts';
import { evaluate } from './evaluate.ts';
import { judge, type KitFolder, notRun } from './kit-folder.ts';

interface RecordedCall {
  readonly fn: string;
  /** As data, or as the source text of a list. */
  readonly args?: readonly unknown[] | string;
  /** Source text of a call instead. */
  readonly source?: string;
  readonly note?: string;
  readonly output?: unknown;
  readonly throws?: unknown;
}

/** Runs the recorded calls of renderers, prompt tags and the merge of stores. */
export async function runRenderHelpers(
  recording: unknown,
  name: string,
  folder: KitFolder,
): Promise<CaseResult[]> {
  const results: CaseResult[] = [];
  // A template may use the fragment that was made before it.
  let fragment: unknown;
  for (const [index, call] of (recording as readonly RecordedCall[]).entries()) {
    const title = call.note ?? call.fn;
    const entry = { name, entry: String(index), title, tags: tagsOf(folder, name, call) };
    try {
      const actual = await outcomeOf(call, fragment);
      if (call.fn === 'fragment' && 'output' in actual) fragment = actual.output;
      const recorded = 'throws' in call ? { throws: call.throws } : { output: call.output };
      results.push(judge(entry, { recorded, actual }));
    } catch (error) {
      results.push(notRun(entry, String(error)));
    }
  }
  return results;
}

/** What a fence does with fences in its text is nothing that an index tags. */
function tagsOf({ tags }: KitFolder, name: string, { fn }: RecordedCall): readonly string[] {
  return [...tags.of(name, fn), ...(fn === 'render.code' ? ['fence'] : [])];
}

async function outcomeOf(
  call: RecordedCall,
  fragment: unknown,
): Promise<{ output: unknown } | { throws: string }> {
  const args = typeof call.args === 'string' ? (evaluate(call.args) as unknown[]) : (call.args ?? []);
  const make = findFunction(call, args, fragment);
  try {
    return { output: await make() };
  } catch (error) {
    return { throws: String(error) };
  }
}

/** @throws Error for a function that there is none of */
function findFunction(call: RecordedCall, args: readonly unknown[], fragment: unknown): () => unknown {
  if (call.source !== undefined) {
    const { source } = call;
    return () => evaluate(source, { ...kit, fragment });
  }
  if (call.fn === 'deepMerge') return () => merged(args);
  const found = call.fn
    .split('.')
    .reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), { ...kit });
  if (typeof found !== 'function') throw new Error(`this version does not know the function "${call.fn}"`);
  return () => (found as (...values: readonly unknown[]) => unknown)(...args);
}

/** What becomes of a store into which one value is saved after another. */
async function merged(values: readonly unknown[]): Promise<unknown> {
  const saved = kit
    .skill({ name: 'merge', entry: 's0', stores: { kept: kit.type('unknown') } })
    .step('s0', { save: () => ({ kept: values[0] }), next: 's1' })
    .step('s1', { save: () => ({ kept: values[1] }), next: kit.terminal })
    .build();
  const { store } = await runSkill(saved, { model: mockModel({}) });
  return store['kept'];
}
