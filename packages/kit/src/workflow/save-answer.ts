import type { SaveContext, SkillDefinition } from '../definition/skill-definition.ts';
import { describeIssues, issuesOfPartial } from '../schema/validate.ts';

export interface SavedAnswer {
  /** What `store.steps.<step>` is to give. */
  readonly result: unknown;
  /** By sub-store. */
  readonly writes: Readonly<Record<string, unknown>>;
}

/**
 * Asks the step's `save` what is to be kept of an answer. Without one, or where it leaves the result open, that is what the
 * action gave, or else the answer itself.
 * @param warn hears of writes that the declared sub-stores do not take; they are made all the same
 */
export function saveAnswer(
  { steps, stores }: SkillDefinition,
  step: string,
  context: Omit<SaveContext, 'actionResult'>,
  actionResult: unknown,
  warn: (line: string) => void,
): SavedAnswer {
  const { response } = context;
  const save = steps[step]?.save;
  if (save === undefined) {
    return { result: actionResult === undefined ? response : actionResult, writes: {} };
  }
  const saved = (save({ ...context, actionResult }) ?? {}) as Readonly<Record<string, unknown>>;
  const { step: result, ...writes } = saved;
  if (stores !== undefined) {
    const wrong = Object.entries(writes).flatMap(([name, value]) => wrongWrites(stores, name, value));
    if (wrong.length > 0) {
      warn(`the save of step "${step}" writes what the stores do not take: ${wrong.join('; ')}`);
    }
  }
  return { result: result === undefined ? (actionResult ?? response) : result, writes };
}

function wrongWrites(stores: NonNullable<SkillDefinition['stores']>, name: string, value: unknown): string[] {
  const schema = Object.hasOwn(stores, name) ? stores[name] : undefined;
  if (schema === undefined) {
    return [`${name} is not declared`];
  }
  const issues = value === undefined ? [] : issuesOfPartial(schema, value);
  return issues.length === 0
    ? []
    : [describeIssues(issues.map(({ path, message }) => ({ path: [name, ...path], message })))];
}
