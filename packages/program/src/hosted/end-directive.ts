import type { Directive, Json, ProgramRequirement, Requirement } from '@skillyard/contracts';
import { ProgramError } from '../program-error.ts';
import type { TerminalText } from '../protocol/program-output.ts';

/** Requirements that a turn can be told of. */
const MOST_REQUIREMENTS = 10_000;

/**
 * How a turn ends when its program does. What completed over a failed requirement did not: the claim stands that it could
 * not prove.
 * @param claimed every requirement of this run of the program, and so of all runs before it
 * @throws ProgramError OUTPUT_INVALID when there are more of them than a turn takes
 */
export function endDirective(terminal: TerminalText, claimed: readonly ProgramRequirement[]): Directive {
  const { status, reason, result } = terminal;
  if (claimed.length > MOST_REQUIREMENTS)
    throw new ProgramError(
      'OUTPUT_INVALID',
      `invalid program output: it has ${claimed.length} requirements, and a turn takes ${MOST_REQUIREMENTS}. Let one of them stand for what a loop has found`,
    );
  const requirements = claimed.map(requirementOf);
  if (status !== 'completed')
    return { do: 'end', output: null, error: null, stop: { status, reason }, requirements };
  const unproven = requirements.find(({ passed }) => !passed);
  if (unproven === undefined) return { do: 'end', output: outputOf(result), error: null, requirements };
  const message = `completion unproven: the program completed although its requirement "${unproven.claim}" had failed.`;
  return { do: 'end', output: null, error: { code: 'CODE_FAILED', message }, requirements };
}

function requirementOf({ claim, passed, evidence_digest: digest }: ProgramRequirement): Requirement {
  return digest === undefined ? { claim, passed } : { claim, passed, evidenceDigest: digest };
}

/**
 * The answer of the turn: a string is itself, anything else stays the text it was printed as, without rounding its numbers.
 * Programs of most languages print `null` where there is no result.
 */
function outputOf(result: string | null): Json {
  if (result === null || result === 'null') return null;
  return result.startsWith('"') ? (JSON.parse(result) as string) : result;
}
