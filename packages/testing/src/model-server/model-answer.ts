/** A call the model asks for. `args` that are no object, or a string that is no JSON, are sent as they are. */
export interface AnsweredCall {
  readonly name: string;
  readonly args: unknown;
}

/** One scripted answer of the model server. */
export type ModelAnswer =
  | {
      readonly text?: string;
      readonly calls?: readonly AnsweredCall[];
      /** Cut off by the token limit. */
      readonly truncated?: boolean;
      readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
      /** Answer only after this time. */
      readonly delayMs?: number;
    }
  | { readonly failure: 'unauthorized' | 'error' | 'html' | 'cut-off' | 'hang-up' | 'never' }
  | { readonly failure: 'rate-limited'; readonly retryAfter?: string }
  /** Any other status with an error object of the protocol. */
  | { readonly failure: 'status'; readonly status: number; readonly message: string };

/** An answer that is none of the failures. */
export type GoodAnswer = Exclude<ModelAnswer, { failure: unknown }>;

/** Wire formats the server speaks: chat completions, the responses API of OpenAI, and the messages API of Anthropic. */
export type ModelProtocol = 'chat' | 'responses' | 'messages';

/** A request as it came in, for tests to look at. */
export interface ModelRequest {
  readonly protocol: ModelProtocol;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readonly<Record<string, unknown>>;
  /** The text of the last message of the user. */
  readonly prompt: string;
  /** The JSON Schema the answer must fit, when one was asked for. */
  readonly schema: unknown;
}
