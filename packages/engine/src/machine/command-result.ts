import type { Json } from '@skillyard/contracts';

/** What an operator is told who gave something else in the place of what a command came to. */
export const NO_COMMAND_RESULT =
  'what was given as the result of its command is none: it needs {"exit_code": whole number, "stdout": text, "stderr": text}. Resolve it once more';

/** Whether a value could have been observed of a command. A worker gives nothing else; an operator may. */
export function isCommandResult(value: Json): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { exit_code: code, stdout, stderr, timed_out: late = true, ...others } = value;
  const isWhole = Number.isInteger(code) && typeof stdout === 'string' && typeof stderr === 'string';
  return isWhole && late === true && Object.keys(others).length === 0;
}
