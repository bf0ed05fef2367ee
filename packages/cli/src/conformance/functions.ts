import type { JsonObject } from '@skillyard/contracts';
import {
  argumentAssetRefs,
  assetRefs,
  checkFormatVersion,
  chooseOneOf,
  compareVersions,
  conditionVariables,
  conditionWords,
  containsWord,
  declaredTools,
  evaluateCondition,
  loadSkill,
  memHandle,
  migrateSkill,
  parseCondition,
  readCollection,
  resolveMode,
  splitToolRef,
  trimNotes,
  validateSkillName,
} from '@skillyard/engine';
import { caseEnvironment, type EnvironmentInput } from './case-environment.ts';
import { expandCase, refusal } from './expand-case.ts';

/** One operation: from the input of a case to what is compared with its expectation. */
type Operation = (input: never) => unknown;

/** The operations on a single function, and on a skill that is only read. */
export const FUNCTIONS: Readonly<Record<string, Operation>> = {
  validate: (input: { skill: string }) => {
    const loaded = loadSkill(input.skill);
    return loaded.skill === null ? { ok: false, stage: loaded.stage } : { ok: true };
  },

  cond: (input: { cond: string } & EnvironmentInput) => {
    const parsed = parseCondition(input.cond);
    if (!parsed.ok) return { ok: false, stage: 'parse' };
    try {
      return { ok: true, value: evaluateCondition(parsed.condition, caseEnvironment(input)) };
    } catch (error) {
      return { ...refusal(error), stage: 'eval' };
    }
  },

  cond_vars: (input: { cond: string }) => {
    const parsed = parseCondition(input.cond);
    return parsed.ok ? { ok: true, names: conditionVariables(parsed.condition) } : { ok: false };
  },

  cond_contains: (input: { cond: string }) => {
    const parsed = parseCondition(input.cond);
    const words = parsed.ok ? conditionWords(parsed.condition) : undefined;
    return words === undefined ? { ok: false } : { ok: true, words };
  },

  contains_word: (input: { text: string; word: string }) => ({ value: containsWord(input.text, input.word) }),

  one_of: (input: { text: string; allowed: string[]; markers?: string[] }) => ({
    value: chooseOneOf(input.text, input.allowed, input.markers ?? []),
  }),

  split_tool_ref: (input: { ref: string }) => {
    const split = splitToolRef(input.ref);
    return split === undefined ? { ok: false, server: '', tool: '' } : { ok: true, ...split };
  },

  check_engine_version: (input: { declared: string }) => ({ ok: checkFormatVersion(input.declared).ok }),

  compare_versions: (input: { a: string; b: string }) => {
    const value = compareVersions(input.a, input.b);
    return value === undefined ? { ok: false } : { ok: true, value };
  },

  validate_name: (input: { name: string }) => ({ ok: validateSkillName(input.name) === undefined }),

  resolve_mode: (input: { declared: string; has_workflow: boolean; has_playbook: boolean }) => {
    const resolved = resolveMode(input.declared, input.has_workflow, input.has_playbook);
    return resolved.ok ? { ok: true, mode: resolved.mode } : { ok: false };
  },

  expand: expandCase,

  mem_handle: (input: { text: string; notes?: string[] }) => ({
    value: memHandle(input.text, input.notes ?? []),
  }),

  trim_note: (input: { text: string; notes?: string[] }) => ({
    value: trimNotes(input.text, input.notes ?? []),
  }),

  collection: (input: { name: string; value: string }) => {
    try {
      // A loop is a data consumer: it walks the value without its notes.
      const { items, picked } = readCollection(input.name, trimNotes(input.value, []));
      return { ok: true, items, has_note: picked };
    } catch (error) {
      return refusal(error);
    }
  },

  declared_tools: (input: { skill: string }) => {
    const workflow = loadSkill(input.skill).skill?.workflow;
    return workflow ? { tools: declaredTools(workflow) } : { ok: false };
  },

  migrate: (input: { text: string }) => {
    const result = migrateSkill(input.text);
    return result.ok ? { changed: result.changed, text: result.text } : { changed: false, error: true };
  },

  asset_refs: (input: { text: string; args?: JsonObject }) => ({
    in_text: assetRefs(input.text),
    in_args: argumentAssetRefs(input.args ?? {}),
  }),
};
