import {
  type FinishReason,
  generateText,
  jsonSchema,
  type LanguageModel,
  Output,
  type ToolSet,
  type Warning,
} from 'ai';
import type { JsonObject } from '@skillyard/contracts';
import { publicAddress } from '../public-address.ts';
import type { Environment } from '../redaction.ts';
import { fromAiContent, toAiMessages } from './ai-messages.ts';
import { aiModel, baseUrlOf, type HostedModel, keyVariableOf } from './ai-provider.ts';
import { callSettings } from './call-settings.ts';
import type { Generation, GenerationRequest, ModelClient, OfferedTool, WrittenCall } from './model-client.ts';
import { modelFailure } from './model-failure.ts';

/**
 * Makes generations through the AI SDK.
 *
 * One request per generation: tools are declared and never run here, and nothing is retried, because both belong to
 * whoever holds the job.
 */
export class AiClient implements ModelClient {
  readonly #name: string;
  readonly #config: HostedModel;
  readonly #env: Environment;
  #model: Exclude<LanguageModel, string> | undefined;

  constructor(name: string, config: HostedModel, env: Environment) {
    this.#name = name;
    this.#config = config;
    this.#env = env;
    // The SDK would write warnings to the console; ours go into the result.
    globalThis.AI_SDK_LOG_WARNINGS = false;
  }

  async generate(request: GenerationRequest): Promise<Generation> {
    const model = (this.#model ??= aiModel(this.#name, this.#config, this.#env));
    const { leftOut, ...settings } = callSettings(
      this.#config,
      request.sampling,
      request.schema,
      request.maxOutputTokens,
    );
    try {
      const result = await generateText({
        model,
        messages: toAiMessages(request.messages),
        ...(request.system !== undefined && { system: request.system }),
        ...(request.tools.length > 0 && { tools: toolSet(request.tools), toolChoice: request.toolChoice }),
        ...(request.schema !== undefined && { output: enforced(request.schema) }),
        ...settings,
        abortSignal: request.signal,
        maxRetries: 0,
      });
      const parts = fromAiContent(result.content);
      const { inputTokens, outputTokens } = result.usage;
      return {
        text: result.text,
        parts,
        calls: parts.flatMap((part): WrittenCall[] => (part.type === 'call' ? [part] : [])),
        finish: finishOf(result.finishReason),
        warnings: [...leftOut, ...(result.warnings ?? []).map(warningText)],
        ...(inputTokens !== undefined && { usage: { inputTokens, outputTokens: outputTokens ?? 0 } }),
      };
    } catch (error) {
      if (request.signal.aborted) throw error;
      throw modelFailure(error, {
        name: this.#name,
        where: publicAddress(baseUrlOf(this.#config)),
        keyVariable: keyVariableOf(this.#config),
      });
    }
  }
}

function toolSet(tools: readonly OfferedTool[]): ToolSet {
  return Object.fromEntries(
    tools.map((tool) => [
      tool.name,
      { description: tool.description, inputSchema: jsonSchema(tool.inputSchema) },
    ]),
  );
}

/**
 * Asks the endpoint to hold the answer to a schema, and leaves reading it to us: the SDK's own reading throws the
 * answer away when it does not fit, and our message should show it.
 */
function enforced(schema: JsonObject): Output.Output<string, string, never> {
  return {
    ...Output.text(),
    name: 'schema',
    responseFormat: Promise.resolve({ type: 'json', schema, name: 'answer' }),
  };
}

function finishOf(reason: FinishReason): Generation['finish'] {
  switch (reason) {
    case 'length':
      return 'length';
    case 'content-filter':
      return 'filtered';
    case 'error':
      return 'failed';
    default:
      return 'done';
  }
}

function warningText(warning: Warning): string {
  if (warning.type === 'other') return warning.message;
  return `the provider does not support ${warning.feature}${warning.details === undefined ? '' : ` (${warning.details})`}`;
}
