import {
  type DelegateJob,
  type ErrorCode,
  SkillyardError,
  type StepResult,
  type TurnOutcome,
} from '@skillyard/contracts';
import type { SkillFinder } from '@skillyard/runtime';
import { loadSkillFile, type SkillSource } from '../skill/read-skill.ts';

/** Skills that may delegate to each other in a row. */
const MAX_DEPTH = 8;

/** A turn of a skill, perhaps one that was delegated to. */
export interface ChildTurn {
  readonly source: SkillSource;
  readonly vars: Readonly<Record<string, string>>;
  /** The skills that were delegated to on the way here; empty for the turn of the command itself. */
  readonly within: readonly string[];
  readonly turnId: string;
}

/** Whether a chain of delegations is longer than any that makes sense: skills that delegate in a circle end so. */
export function tooDeep(within: readonly string[]): boolean {
  return within.length > MAX_DEPTH;
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
    if (source.skill.workflow !== null) return source;
    return failed(
      job,
      'SKILL_INVALID',
      `skill "${job.skill}" has a playbook and no workflow; only workflows run`,
    );
  } catch (error) {
    if (!SkillyardError.is(error)) throw error;
    return failed(job, error.code, error.message);
  }
}

/**
 * The result of a delegate step.
 * @param within the chain of skills, the one delegated to last
 * @param outcome how its turn ended; absent when the chain was too long to start it
 */
export function delegateResult(
  job: DelegateJob,
  within: readonly string[],
  outcome?: TurnOutcome,
): StepResult {
  if (outcome === undefined) {
    const chain = within.join(' › ');
    return failed(
      job,
      'DELEGATE_FAILED',
      `skills delegate more than ${MAX_DEPTH} deep: ${chain}; end the circle`,
    );
  }
  const name = `skill "${job.skill}"`;
  switch (outcome.status) {
    // Leaving its flow is no failure of a skill: it gave what it had, and `on_empty` says what nothing means.
    case 'completed':
    case 'exited':
      return { jobId: job.id, status: outcome.answer === '' ? 'empty' : 'ok', text: outcome.answer };
    case 'denied': {
      const message = `${name}: ${outcome.error?.message ?? 'permission refused'}`;
      return { jobId: job.id, status: 'denied', text: '', error: { code: 'STEP_DENIED', message } };
    }
    case 'failed':
    case 'cancelled':
      return failed(job, 'DELEGATE_FAILED', `${name}: ${outcome.error?.message ?? outcome.status}`);
  }
}

function failed(job: DelegateJob, code: ErrorCode, message: string): StepResult {
  return { jobId: job.id, status: 'error', text: '', error: { code, message } };
}
