/** The recorded cases of the functions in this folder, run as they are (conformance/README.md). */
import { readFileSync } from 'node:fs';
import { type JsonObject, SkillyardError } from '@skillyard/contracts';
import { describe, expect, it } from 'vitest';
import { argumentAssetRefs, compileArguments, expandArguments, joinFill } from './arguments.ts';
import { readCollection } from './collection.ts';
import { conditionVariables, conditionWords, evaluateCondition, parseCondition } from './condition.ts';
import { containsWord } from './contains-word.ts';
import type { Environment } from './environment.ts';
import { memHandle, trimNotes } from './notes.ts';
import { chooseOneOf } from './one-of.ts';
import { readWhole } from './payload.ts';
import { readPath } from './reference.ts';
import { assetRefs, expandTemplate, parseTemplate } from './template.ts';
import { splitToolRef } from './tool-ref.ts';

interface Input {
  readonly text: string;
  readonly args: JsonObject;
  readonly cond: string;
  readonly name: string;
  readonly value: string;
  readonly word: string;
  readonly ref: string;
  readonly form?: 'model' | 'args' | 'whole';
  readonly allowed: string[];
  readonly markers: string[];
  readonly notes: string[];
  readonly vars?: Record<string, string>;
  readonly memory?: Record<string, string>;
  readonly assets?: Record<string, string>;
  readonly vocabulary?: { readonly decision_markers?: string[]; readonly truncation_notes?: string[] };
}

interface Case {
  readonly id: string;
  readonly title: string;
  readonly op: string;
  readonly input: Input;
  readonly expected: JsonObject & { readonly error_mentions?: string[] };
}

const cases = JSON.parse(
  readFileSync(new URL('../../../../conformance/functions.json', import.meta.url), 'utf8'),
) as Case[];

function environment(input: Input): Environment {
  const notes = input.vocabulary?.truncation_notes ?? [];
  const own = (from: Record<string, string> | undefined, key: string): string | undefined =>
    from !== undefined && Object.hasOwn(from, key) ? from[key] : undefined;
  return {
    vocabulary: { decisionMarkers: input.vocabulary?.decision_markers ?? [], truncationNotes: notes },
    variable: (name) => own(input.vars, name),
    asset: (name) => own(input.assets, name) ?? '',
    memory: (handle, at) => {
      const whole = own(input.memory, handle);
      return whole === undefined ? { found: false } : readPath(whole, at, notes);
    },
  };
}

function expand(input: Input): JsonObject {
  const env = environment(input);
  if (input.form === 'args') {
    const { args, fill } = expandArguments(compileArguments({ text: input.text }), env);
    const parts = fill[0]?.parts ?? [{ text: args['text'] as string }];
    const read = (handle: string): string | undefined => input.memory?.[handle];
    return { ok: true, value: joinFill(parts, read, env.vocabulary.truncationNotes).text };
  }
  const form = input.form ?? 'model';
  const { text, unreachable } = expandTemplate(parseTemplate(input.text), env, form);
  return form === 'whole' ? { ok: true, value: text, unreachable } : { ok: true, value: text };
}

/** One case, as the thing it answers and the text of the failure it met. */
function run({ op, input }: Case): { result: JsonObject; message: string } {
  switch (op) {
    case 'cond': {
      const parsed = parseCondition(input.cond);
      if (!parsed.ok) return { result: { ok: false, stage: 'parse' }, message: parsed.message };
      return attempt(() => ({ ok: true, value: evaluateCondition(parsed.condition, environment(input)) }), {
        stage: 'eval',
      });
    }
    case 'cond_vars': {
      const parsed = parseCondition(input.cond);
      return answer(parsed.ok ? { ok: true, names: conditionVariables(parsed.condition) } : { ok: false });
    }
    case 'cond_contains': {
      const parsed = parseCondition(input.cond);
      const words = parsed.ok ? conditionWords(parsed.condition) : undefined;
      return answer(words === undefined ? { ok: false } : { ok: true, words });
    }
    case 'contains_word':
      return answer({ value: containsWord(input.text, input.word) });
    case 'one_of':
      return answer({ value: chooseOneOf(input.text, input.allowed, input.markers) });
    case 'split_tool_ref': {
      const ref = splitToolRef(input.ref);
      return answer(ref === undefined ? { ok: false, server: '', tool: '' } : { ok: true, ...ref });
    }
    case 'expand':
      return attempt(() => expand(input), {});
    case 'mem_handle':
      return answer({ value: memHandle(input.text, []) });
    case 'trim_note':
      return answer({ value: trimNotes(input.text, input.notes) });
    case 'collection':
      return attempt(() => {
        const { items, picked } = readCollection(input.name, readWhole(input.value, environment(input)).text);
        return { ok: true, items, has_note: picked };
      }, {});
    case 'asset_refs':
      return answer({ in_text: assetRefs(input.text), in_args: argumentAssetRefs(input.args) });
    default:
      throw new Error(`not an operation of this folder: ${op}`);
  }
}

function answer(result: JsonObject): { result: JsonObject; message: string } {
  return { result, message: '' };
}

function attempt(action: () => JsonObject, failure: JsonObject): { result: JsonObject; message: string } {
  try {
    return answer(action());
  } catch (error) {
    if (!SkillyardError.is(error)) throw error;
    return { result: { ok: false, ...failure }, message: error.message };
  }
}

/** These look at whole skills and are run where skills are read. */
const ELSEWHERE = new Set([
  'check_engine_version',
  'compare_versions',
  'validate_name',
  'resolve_mode',
  'declared_tools',
]);

describe('recorded cases', () => {
  const own = cases.filter(({ op }) => !ELSEWHERE.has(op));

  it.each(own)('$id: $title', (recorded) => {
    const { error_mentions: mentions, ...expected } = recorded.expected;
    const { result, message } = run(recorded);
    expect(result).toEqual(expected);
    for (const token of mentions ?? []) expect(message).toContain(token);
  });
});
