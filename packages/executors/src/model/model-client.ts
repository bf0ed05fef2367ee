import type { Json, JsonObject, Sampling, TokenUsage } from '@skillyard/contracts';
import type { AssistantPart, Message } from './message.ts';

/** A tool a model may call, under the name it sees. */
export interface OfferedTool {
  readonly name: string;
  readonly server: string;
  readonly tool: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

/** One generation to make. */
export interface GenerationRequest {
  /** Which step and which generation of it: scripts answer by these. */
  readonly step: string;
  readonly conversation: string;
  readonly round: number;
  /** Which generation of its step this is, in a conversation of several instructions. */
  readonly ofStep?: number;
  readonly system?: string;
  readonly messages: readonly Message[];
  readonly tools: readonly OfferedTool[];
  readonly toolChoice: 'auto' | 'none';
  readonly sampling: Sampling;
  /** The JSON Schema that the endpoint must enforce. */
  readonly schema?: JsonObject;
  readonly maxOutputTokens?: number;
  readonly signal: AbortSignal;
}

/** A call a model wrote. `args` are what it wrote: perhaps no object, perhaps text that is no JSON. */
export interface WrittenCall {
  readonly callId: string;
  readonly name: string;
  readonly args: Json;
}

/** What came of a generation. */
export interface Generation {
  readonly text: string;
  readonly calls: readonly WrittenCall[];
  /** What the model said, for the next round of the conversation. */
  readonly parts: readonly AssistantPart[];
  readonly finish: 'done' | 'length' | 'filtered' | 'failed';
  readonly usage?: TokenUsage;
  /** What the provider left out of the request, in words. */
  readonly warnings: readonly string[];
}

/**
 * Makes generations with one model of the configuration.
 * Failures are thrown as SkillyardError; an abort may be thrown as it is.
 */
export interface ModelClient {
  generate(request: GenerationRequest): Promise<Generation>;
}
