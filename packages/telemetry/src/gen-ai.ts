/**
 * Names of the OpenTelemetry conventions for generative AI, as of their version 1.41. They are not stable: the few that
 * we use stand here, so that a change of them is a change of this file.
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/
 */
export const GEN_AI = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  agent: 'gen_ai.agent.name',
  conversation: 'gen_ai.conversation.id',
  requestModel: 'gen_ai.request.model',
  temperature: 'gen_ai.request.temperature',
  topP: 'gen_ai.request.top_p',
  maxTokens: 'gen_ai.request.max_tokens',
  finishReasons: 'gen_ai.response.finish_reasons',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  tool: 'gen_ai.tool.name',
  tokenType: 'gen_ai.token.type',
  // What a turn is about: only where content is let through.
  systemInstructions: 'gen_ai.system_instructions',
  inputMessages: 'gen_ai.input.messages',
  outputMessages: 'gen_ai.output.messages',
  toolArguments: 'gen_ai.tool.call.arguments',
  toolResult: 'gen_ai.tool.call.result',
} as const;

/** Values of `gen_ai.operation.name`. */
export const OPERATION = {
  chat: 'chat',
  executeTool: 'execute_tool',
  invokeAgent: 'invoke_agent',
} as const;

/** Instruments of the conventions, with the buckets they recommend. */
export const GEN_AI_METRIC = {
  duration: {
    name: 'gen_ai.client.operation.duration',
    buckets: [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92],
  },
  tokens: {
    name: 'gen_ai.client.token.usage',
    buckets: [
      1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864,
    ],
  },
} as const;

/** What an error is called, of whichever kind of work. */
export const ERROR_TYPE = 'error.type';
