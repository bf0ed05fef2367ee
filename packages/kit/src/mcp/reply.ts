import type { WorkflowResult } from '../workflow/result.ts';

/** What the tools of a workflow answer. Key order is the order in which it is written. */
export type Reply = PromptReply | DoneReply | ErrorReply;

export interface PromptReply {
  readonly session: string;
  readonly status: 'prompt';
  readonly step: string;
  readonly prompt: string;
  readonly schema: Readonly<Record<string, unknown>> | null;
  /** Of a start, and where a sub-skill begins. */
  readonly preamble?: string;
}

interface DoneReply {
  readonly session: string;
  readonly status: 'done';
  readonly finalOutput: unknown;
}

/** `retry`: the same step may be answered again. */
export interface ErrorReply {
  readonly session: string;
  readonly status: 'error';
  readonly step: string;
  readonly message: string;
  readonly retry: boolean;
}

/** A result of the workflow in the words of the tools. What was recorded is not told: the session keeps it. */
export function replyOf(session: string, result: WorkflowResult): Reply {
  switch (result.kind) {
    case 'prompt': {
      const { step, prompt, schema, preamble } = result;
      const asked = { session, status: 'prompt', step, prompt, schema } as const;
      return preamble === undefined ? asked : { ...asked, preamble };
    }
    case 'done':
      return { session, status: 'done', finalOutput: result.finalOutput ?? null };
    case 'error':
      return refusal(session, result.step, result.message, result.retry);
    case 'redirect':
      return refusal(session, '', `the workflow leads to "${result.redirect}", where nothing is`, false);
  }
}

export function refusal(session: string, step: string, message: string, retry: boolean): ErrorReply {
  return { session, status: 'error', step, message, retry };
}
