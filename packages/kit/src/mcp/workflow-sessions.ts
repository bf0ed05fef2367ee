import type { WaitingPrompt } from './people.ts';
import type { Reply } from './reply.ts';

interface StartRequest {
  readonly params: unknown;
  /** Begins in this sub-skill, past the dispatcher; `params` are its own then. */
  readonly subskill?: string | undefined;
}

export interface AdvanceRequest {
  readonly session: string;
  readonly step: string;
  readonly output: unknown;
}

/**
 * Workflows that are under way, by session.
 *
 * Answers to a session are taken one after another. The last answer may be sent again by an agent that missed the reply: it gets
 * the same reply, and nothing is run twice. What the workflow throws is thrown, and leaves the session as it was.
 */
export interface WorkflowSessions {
  /** @param signal aborts the actions of the call */
  start(request: StartRequest, signal: AbortSignal): Promise<Reply>;
  advance(request: AdvanceRequest, signal: AbortSignal): Promise<Reply>;
  /** The prompt that a session waits with; null when it is not known, and the agent has to be asked. */
  waiting(session: string): WaitingPrompt | null;
}
