import type { DelegateJob, StepResult, TurnOutcome } from '@skillyard/contracts';

/** Skills that may delegate to each other in a row: those that do so in a circle end here. */
export const MAX_DELEGATIONS = 8;

/**
 * What the end of a child turn means for the step that delegated to it. Both drivers ask here.
 * @param outcome how the child ended, its tokens count for the turn that waits; null when nobody knows any longer
 */
export function delegateResult(job: DelegateJob, outcome: TurnOutcome | null): StepResult {
  if (outcome === null) {
    const message = `skill "${job.skill}": its turn was forgotten before its end was seen`;
    return { jobId: job.id, status: 'error', text: '', error: { code: 'DELEGATE_FAILED', message } };
  }
  const { inputTokens, outputTokens } = outcome.usage;
  const base = { jobId: job.id, text: '', usage: { inputTokens, outputTokens } };
  const name = `skill "${job.skill}"`;
  const reason = outcome.error?.message;
  switch (outcome.status) {
    // Leaving its flow is no failure of a skill: it gave what it had, and `on_empty` says what nothing means.
    case 'completed':
    case 'exited':
      return { ...base, status: outcome.answer === '' ? 'empty' : 'ok', text: outcome.answer };
    case 'denied':
      return {
        ...base,
        status: 'denied',
        error: { code: 'STEP_DENIED', message: `${name}: ${reason ?? 'permission refused'}` },
      };
    // Whoever delegated has no answer, and `on_error` says what that means.
    case 'refused':
    case 'blocked':
    case 'requirement_failed': {
      const how = `${outcome.status.replace('_', ' ')}: ${outcome.exitReason ?? ''}`;
      return { ...base, status: 'error', error: { code: 'DELEGATE_FAILED', message: `${name} ${how}` } };
    }
    case 'failed':
    case 'cancelled': {
      const code = outcome.error?.code === 'SKILL_INVALID' ? 'SKILL_INVALID' : 'DELEGATE_FAILED';
      return { ...base, status: 'error', error: { code, message: `${name}: ${reason ?? outcome.status}` } };
    }
  }
}
