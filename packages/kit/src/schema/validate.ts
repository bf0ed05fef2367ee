import type { AnySchema } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';

/** One thing that is wrong with a value. */
export interface Issue {
  /** Where, from the root; empty at the root itself. */
  readonly path: readonly PropertyKey[];
  /** What, in the words of the validator. */
  readonly message: string;
}

/** A value as the schema gives it back, defaults and transformations applied, or what is wrong with it. */
export type Validated =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false;
      readonly issues: readonly Issue[];
      /** All issues in one line, each as `path: message`. */
      readonly message: string;
    };

/**
 * Checks a value against a schema of any vendor.
 * @throws KitError SKILL_DEFINITION_INVALID when the schema can only be checked asynchronously
 */
export function validate(schema: AnySchema, value: unknown): Validated {
  const result = schema['~standard'].validate(value);
  if (result instanceof Promise) {
    // Nobody waits for it: without this a rejection would end the process.
    result.catch(() => undefined);
    throw new KitError(
      'SKILL_DEFINITION_INVALID',
      `a schema of ${schema['~standard'].vendor} is checked asynchronously, which a skill cannot wait for; ` +
        'move what takes time into an action',
    );
  }
  if (result.issues === undefined) return { ok: true, value: result.value };
  const issues = result.issues.map(({ path, message }) => ({
    // Not `path.map`: the path of ArkType is an array of its own kind, whose empty copy is not empty.
    path: Array.from(path ?? [], (part) => (typeof part === 'object' ? part.key : part)),
    message,
  }));
  return { ok: false, issues, message: describeIssues(issues) };
}

/**
 * Like `validate`, for a part of a value: what is merely absent, at any depth, is no issue.
 * @returns what is wrong with what is there; empty when nothing is
 * @throws KitError SKILL_DEFINITION_INVALID when the schema can only be checked asynchronously
 */
export function issuesOfPartial(schema: AnySchema, value: unknown): readonly Issue[] {
  const result = validate(schema, value);
  return result.ok ? [] : result.issues.filter(({ path }) => isPresent(value, path));
}

/** `path: message; path: message`, without the path at the root. */
export function describeIssues(issues: readonly Issue[]): string {
  return issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`))
    .join('; ');
}

function isPresent(value: unknown, path: readonly PropertyKey[]): boolean {
  let current = value;
  for (const key of path) {
    if (typeof current !== 'object' || current === null) return true;
    if (!Object.hasOwn(current, key)) return false;
    current = (current as Record<PropertyKey, unknown>)[key];
  }
  return current !== undefined;
}
