/** A world whose answer to a job depends on the job alone: what it is asked, never when. */
import type { StepJob, StepResult } from '@skillyard/contracts';

/** A small hash, so that answers look arbitrary and stay the same. */
function hash(text: string): number {
  let value = 7;
  for (let index = 0; index < text.length; index++) value = (value * 31 + text.charCodeAt(index)) >>> 0;
  return value;
}

const TEXTS = ['1', 'x', '', '{"k":{"z":1}}', 'note…\n[mem:h1]', '2', 'ERROR: odd', 'lost\n[mem:h9]'];

export function answer(job: StepJob): StepResult {
  const base = { jobId: job.id, text: '' };
  switch (job.kind) {
    case 'asset':
      return { ...base, status: 'ok', text: job.asset.content || JSON.stringify(job.asset.args) };
    case 'memory':
      return job.handle === 'h1'
        ? { ...base, status: 'ok', text: 'note whole' }
        : { ...base, status: 'empty' };
    case 'generate': {
      const seed = hash(`${job.path}|${job.instruction}|${job.round}`);
      const usage = { inputTokens: 3, outputTokens: 2 };
      if (seed % 9 === 0)
        return { ...base, status: 'error', error: { code: 'MODEL_REFUSED', message: 'no' }, usage };
      if (seed % 11 === 0)
        return { ...base, status: 'denied', error: { code: 'STEP_DENIED', message: 'keep out' } };
      const mayCall = job.tools !== null && job.tools.length > 0 && job.toolChoice === 'auto';
      if (mayCall && seed % 3 === 0) {
        const request = { callId: 'k0', server: 'srv', tool: 'get', args: { n: seed } };
        const toolRequests =
          seed % 2 === 0 ? [request] : [request, { ...request, callId: 'k1', refused: 'not that one' }];
        return { ...base, status: 'ok', toolRequests, usage };
      }
      return {
        ...base,
        status: seed % 13 === 0 ? 'truncated' : 'ok',
        text: TEXTS[seed % TEXTS.length] ?? '',
        usage,
      };
    }
    case 'call': {
      const seed = hash(`${job.path}|${JSON.stringify(job.args)}`);
      if (seed % 7 === 0)
        return { ...base, status: 'error', error: { code: 'TOOL_FAILED', message: 'broken' } };
      if (seed % 19 === 0) return { ...base, status: 'lost' };
      return { ...base, status: 'ok', text: TEXTS[seed % TEXTS.length] ?? '' };
    }
    default: {
      const seed = hash(`${job.path}|${job.kind}`);
      if (seed % 5 === 0)
        return { ...base, status: 'error', error: { code: 'DELEGATE_FAILED', message: 'asleep' } };
      return { ...base, status: 'ok', text: TEXTS[seed % TEXTS.length] ?? '' };
    }
  }
}
