import type { Config } from '@skillyard/contracts';
import type { ModelFacts, PreflightInput } from '@skillyard/lint';
import { turnSettings } from '../config/turn-settings.ts';

/** Tokens of a generation, where neither the skill nor the configuration says. */
const INPUT_TOKENS = 8000;
const OUTPUT_TOKENS = 1000;

/** What a configuration says that a pre-flight needs. */
export function preflightInput(config: Config): PreflightInput {
  return {
    effects: turnSettings(config).effects,
    modelOf: (model) => modelFacts(config, model),
    guess: {
      input: config.check?.input_tokens ?? INPUT_TOKENS,
      output: config.check?.output_tokens ?? OUTPUT_TOKENS,
    },
  };
}

function modelFacts(config: Config, model: string): ModelFacts {
  const found = config.models?.[model === '' ? (config.default_model ?? '') : model];
  // Answers from a file cost nothing.
  const price = found?.provider === 'scripted' ? { input: 0, output: 0 } : found?.price;
  return { price, maxOutputTokens: found?.max_output_tokens };
}
