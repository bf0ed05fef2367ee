import type { StepRecord } from '../definition/skill-definition.ts';
import type { WorkflowResult } from './result.ts';

/** What stands between a sub-skill and its step. */
const SEPARATOR = '/';

/** The sub-skill that a step name speaks of, and its name there; null for a name without a sub-skill. */
export function splitStep(name: string): { readonly subskill: string; readonly step: string } | null {
  const at = name.indexOf(SEPARATOR);
  return at === -1 ? null : { subskill: name.slice(0, at), step: name.slice(at + SEPARATOR.length) };
}

export function qualifyStep(subskill: string, step: string): string {
  return `${subskill}${SEPARATOR}${step}`;
}

export function qualifyRecord(subskill: string, record: StepRecord): StepRecord {
  return Object.freeze({ ...record, step: qualifyStep(subskill, record.step) });
}

/** A result of a sub-skill with the names that steps have in the composite. */
export function qualifyResult<Result extends WorkflowResult>(subskill: string, result: Result): Result {
  if (result.kind === 'error') {
    return { ...result, step: qualifyStep(subskill, result.step) };
  }
  const { completed, autoAdvanced } = result;
  return {
    ...result,
    ...('step' in result && { step: qualifyStep(subskill, result.step) }),
    ...(completed !== undefined && { completed: qualifyRecord(subskill, completed) }),
    ...(autoAdvanced !== undefined && {
      autoAdvanced: autoAdvanced.map((record) => qualifyRecord(subskill, record)),
    }),
  };
}
