import type { Json, JsonObject } from '@skillyard/contracts';

/**
 * What a provider wants to see again with a part, such as the signature of a thought. Passed back untouched.
 */
interface ProviderPart {
  readonly provider?: JsonObject;
}

/** One part of what a model said. */
export type AssistantPart = ProviderPart &
  (
    | { readonly type: 'text'; readonly text: string }
    | { readonly type: 'reasoning'; readonly text: string }
    | { readonly type: 'call'; readonly callId: string; readonly name: string; readonly args: Json }
  );

/** The answer to one call, as the model sees it. */
export interface ReplyPart {
  readonly callId: string;
  readonly name: string;
  readonly text: string;
  readonly failed: boolean;
}

/** One message of a conversation: plain JSON of our own, so that it outlives a version of any SDK. */
export type Message =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly parts: readonly AssistantPart[] }
  | { readonly role: 'tool'; readonly replies: readonly ReplyPart[] };

/** What a model is told when it may call no more. It is no instruction. */
export const FINAL_REQUEST = 'Give your final answer now, from what you have. No more tools can be called.';
