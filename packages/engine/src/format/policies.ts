import type { EmptyPolicy, ErrorPolicy } from './ast.ts';

/** What `on_error` may say. Empty is unset, which means abort. */
const ERROR_POLICIES: readonly string[] = ['abort', 'continue', 'skip'] satisfies ErrorPolicy[];
/** What `on_empty` may say. Empty is unset, which means continue. */
const EMPTY_POLICIES: readonly string[] = ['continue', 'fail', 'retry', 'use'] satisfies EmptyPolicy[];

export const ERROR_POLICY_HINT =
  'Write abort (stop the flow), continue (note the failure and go on) or skip (leave this list of steps).';
export const EMPTY_POLICY_HINT = 'Write continue, fail, retry or use.';

/** How often `on_empty: retry` runs a step again when the skill does not say. */
export const DEFAULT_EMPTY_RETRIES = 1;
/** The most it may say: a step that repeats without a bound is what the format exists to prevent. */
export const MAX_EMPTY_RETRIES = 5;
/** How many items a loop walks when the skill does not say. */
export const DEFAULT_MAX_ITERATIONS = 10;
/** The most iterations of one loop that may run at once. */
export const MAX_CONCURRENCY = 1000;

/** The policy that `on_error` names; undefined when there is none of that name. */
export function errorPolicyOf(text: string): ErrorPolicy | undefined {
  if (text === '') return 'abort';
  return ERROR_POLICIES.includes(text) ? (text as ErrorPolicy) : undefined;
}

/** The policy that `on_empty` names; undefined when there is none of that name. */
export function emptyPolicyOf(text: string): EmptyPolicy | undefined {
  if (text === '') return 'continue';
  return EMPTY_POLICIES.includes(text) ? (text as EmptyPolicy) : undefined;
}
