import { dirname } from 'node:path';
import { resolveRadius } from '@skillyard/catalog';
import {
  type DelegateJob,
  type ErrorCode,
  SkillyardError,
  type StepResult,
  type TurnRadius,
} from '@skillyard/contracts';
import { compileProgram, MAX_DELEGATIONS, type Mode, modeOf, type Program } from '@skillyard/engine';
import type { SkillFinder } from '@skillyard/runtime';
import type { SkillSource } from '../skill/read-skill.ts';

/** A skill that is about to run. */
export interface PreparedSkill {
  /** The folder that its file assets are read below. */
  readonly folder: string;
  readonly program: Program;
  /** What its sources came to; undefined when it has none. */
  readonly radius: TurnRadius | undefined;
}

/** A turn of a skill, perhaps one that was delegated to. */
export interface ChildTurn extends PreparedSkill {
  readonly vars: Readonly<Record<string, string>>;
  /** The skills that were delegated to on the way here; empty for the turn of the command itself. */
  readonly within: readonly string[];
  readonly turnId: string;
}

/** Whether a chain of delegations is longer than any that makes sense: skills that delegate in a circle end so. */
export function tooDeep(within: readonly string[]): boolean {
  return within.length > MAX_DELEGATIONS;
}

/**
 * Compiles a skill and resolves its sources.
 * @param mode which of its descriptions runs
 * @throws SkillyardError as `resolveRadius` does
 */
export async function prepareSkill(
  { path, skill }: Pick<SkillSource, 'path' | 'skill'>,
  mode: Mode,
  finder: SkillFinder,
): Promise<PreparedSkill> {
  const program = compileProgram(skill, mode);
  const radius = await resolveRadius(program, (include) => finder.read(include));
  return { folder: dirname(path), program, radius };
}

/**
 * Prepares the skill a step delegates to: the version that the run found first, whatever happens to its file meanwhile.
 * @returns the skill, or the result of the step when there is none to run
 */
export async function prepareDelegate(
  job: DelegateJob,
  finder: SkillFinder,
): Promise<PreparedSkill | StepResult> {
  try {
    const stored = await finder.read(job.skill);
    return await prepareSkill(stored, modeOf(stored.skill), finder);
  } catch (error) {
    if (!SkillyardError.is(error)) throw error;
    return failed(job, error.code, error.message);
  }
}

/** The result of a delegate step whose chain is too long to go on. */
export function tooDeepResult(job: DelegateJob, within: readonly string[]): StepResult {
  const chain = within.join(' › ');
  const message = `skills delegate more than ${MAX_DELEGATIONS} deep: ${chain}; end the circle`;
  return failed(job, 'DELEGATE_FAILED', message);
}

function failed(job: DelegateJob, code: ErrorCode, message: string): StepResult {
  return { jobId: job.id, status: 'error', text: '', error: { code, message } };
}
