import { type DelegateJob, type ErrorCode, SkillyardError, type StepResult } from '@skillyard/contracts';
import { MAX_DELEGATIONS, type Mode } from '@skillyard/engine';
import type { SkillFinder } from '@skillyard/runtime';
import { loadSkillFile, type SkillSource } from '../skill/read-skill.ts';

/** A turn of a skill, perhaps one that was delegated to. */
export interface ChildTurn {
  readonly source: SkillSource;
  /** Which of its descriptions runs. */
  readonly mode: Mode;
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
 * Finds and reads the skill a step delegates to.
 * @returns the skill, or the result of the step when there is none to run
 */
export async function loadDelegate(
  job: DelegateJob,
  finder: SkillFinder,
  cwd: string,
): Promise<SkillSource | StepResult> {
  try {
    const source = await loadSkillFile(await finder.find(job.skill), cwd);
    if ('diagnostics' in source) {
      const [first] = source.diagnostics;
      const place = `${first?.file ?? ''}:${first?.position?.line ?? 1}:${first?.position?.column ?? 1}`;
      return failed(
        job,
        'SKILL_INVALID',
        `skill "${job.skill}" is refused: ${place}: ${first?.message ?? ''}`,
      );
    }
    return source;
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
