import type { JsonObject, Sampling } from '@skillyard/contracts';
import type { HostedModel } from './ai-provider.ts';
import { isStrictSchema } from './strict-schema.ts';

/** Generation parameters in the words of the AI SDK. */
export interface CallSettings {
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly maxOutputTokens?: number;
  readonly providerOptions: Record<string, JsonObject>;
  /** Parameters the provider does not take, in words. */
  readonly leftOut: readonly string[];
}

const ANTHROPIC_EFFORTS = new Set(['low', 'medium', 'high', 'xhigh', 'max']);

/** Maps the sampling of a step to what its provider takes. What a provider has no word for is left out and named. */
export function callSettings(
  config: HostedModel,
  sampling: Sampling,
  schema: JsonObject | undefined,
  defaultMaxTokens: number | undefined,
): CallSettings {
  const maxOutputTokens = sampling.max_tokens ?? defaultMaxTokens;
  const common = {
    ...(sampling.temperature !== undefined && { temperature: sampling.temperature }),
    ...(sampling.top_p !== undefined && { topP: sampling.top_p }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
  };
  // A schema that breaks the rules of strict mode would be refused as a whole; it is still checked afterwards.
  const strict = schema === undefined ? {} : { strictJsonSchema: isStrictSchema(schema) };
  const { reasoning } = sampling;
  switch (config.provider) {
    case 'openai-compatible': {
      const options = {
        ...strict,
        ...pick(sampling, ['top_k', 'min_p', 'repetition_penalty']),
        ...(reasoning !== undefined && { reasoningEffort: reasoning }),
      };
      return { ...common, providerOptions: { compatible: options }, leftOut: [] };
    }
    case 'openai': {
      // Nothing is kept at the provider: conversations are ours.
      const options = {
        store: false,
        ...strict,
        ...(reasoning !== undefined && { reasoningEffort: reasoning }),
      };
      return {
        ...common,
        providerOptions: { openai: options },
        leftOut: leftOut(sampling, ['top_k', 'min_p', 'repetition_penalty'], config.provider),
      };
    }
    case 'anthropic': {
      const hasEffort = reasoning !== undefined && ANTHROPIC_EFFORTS.has(reasoning);
      const unknown = reasoning !== undefined && !hasEffort ? (['reasoning'] as const) : [];
      return {
        ...common,
        ...(sampling.top_k !== undefined && { topK: sampling.top_k }),
        providerOptions: { anthropic: hasEffort ? { effort: reasoning } : {} },
        leftOut: leftOut(sampling, ['min_p', 'repetition_penalty', ...unknown], config.provider),
      };
    }
  }
}

function pick(sampling: Sampling, keys: readonly (keyof Sampling)[]): JsonObject {
  return Object.fromEntries(
    keys.flatMap((key) => (sampling[key] === undefined ? [] : [[key, sampling[key]]])),
  );
}

function leftOut(sampling: Sampling, keys: readonly (keyof Sampling)[], provider: string): string[] {
  return keys
    .filter((key) => sampling[key] !== undefined)
    .map((key) => `sampling.${key} means nothing to the provider ${provider} and was left out`);
}
