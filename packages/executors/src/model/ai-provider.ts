import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { type ModelConfig, SkillyardError } from '@skillyard/contracts';
import type { LanguageModel } from 'ai';
import type { Environment } from '../redaction.ts';

/** A model that is reached over HTTP. */
export type HostedModel = Exclude<ModelConfig, { provider: 'scripted' }>;

/** Where each service lives, and which variable holds its key when the configuration does not say. */
const SERVICES = {
  openai: { baseUrl: 'https://api.openai.com/v1', keyEnv: 'OPENAI_API_KEY' },
  anthropic: { baseUrl: 'https://api.anthropic.com/v1', keyEnv: 'ANTHROPIC_API_KEY' },
} as const;

/** The address a model is asked at. */
export function baseUrlOf(config: HostedModel): string {
  return config.base_url ?? SERVICES[config.provider as keyof typeof SERVICES].baseUrl;
}

/** The variable that holds a model's key; undefined for an endpoint that needs none. */
export function keyVariableOf(config: HostedModel): string | undefined {
  if (config.api_key_env !== undefined) return config.api_key_env;
  if (config.provider === 'openai-compatible' || config.base_url !== undefined) return undefined;
  return SERVICES[config.provider].keyEnv;
}

/**
 * Builds the model of the AI SDK.
 * Addresses and keys are always given, because the provider packages would otherwise look for them in the
 * environment of the process.
 * @throws SkillyardError MODEL_KEY_MISSING when the variable of the key is not set
 */
export function aiModel(name: string, config: HostedModel, env: Environment): Exclude<LanguageModel, string> {
  const apiKey = keyOf(name, config, env);
  const baseURL = baseUrlOf(config);
  switch (config.provider) {
    case 'openai-compatible':
      return createOpenAICompatible({
        name: 'compatible',
        baseURL,
        supportsStructuredOutputs: config.structured_output === true,
        ...(apiKey !== undefined && { apiKey }),
      }).chatModel(config.model);
    case 'openai':
      // The responses API: reasoning models of OpenAI take tools nowhere else. Other servers are openai-compatible.
      return createOpenAI({ baseURL, apiKey: apiKey ?? '' }).responses(config.model);
    case 'anthropic':
      return createAnthropic({ baseURL, apiKey: apiKey ?? '' })(config.model);
  }
}

function keyOf(name: string, config: HostedModel, env: Environment): string | undefined {
  const variable = keyVariableOf(config);
  if (variable === undefined) return undefined;
  const key = env[variable]?.trim();
  if (key !== undefined && key !== '') return key;
  throw new SkillyardError(
    'MODEL_KEY_MISSING',
    `The environment variable ${variable} is not set; it should hold the key of the model "${name}". Set it and start again.`,
    { details: { model: name, variable } },
  );
}
