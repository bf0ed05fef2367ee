import { type Config, type ModelConfig, parseDurationMs, SkillyardError } from '@skillyard/contracts';
import { resolve } from 'node:path';
import { namesHint } from '../near-names.ts';
import type { Environment } from '../redaction.ts';
import { AiClient } from './ai-client.ts';
import type { ModelClient } from './model-client.ts';
import { ScriptedClient } from './scripted-client.ts';

/** A model of the configuration, ready to be asked. */
export interface ChosenModel {
  readonly name: string;
  readonly config: ModelConfig;
  readonly client: ModelClient;
  readonly timeoutMs: number;
}

/** How long a generation may take when nothing is configured. Node gives up on a silent answer after the same time. */
const DEFAULT_MODEL_TIMEOUT_MS = 300_000;

/** The models of the configuration. Each is built on its first use. */
export class ModelRegistry {
  readonly #config: Config;
  readonly #env: Environment;
  readonly #baseDir: string;
  readonly #chosen = new Map<string, ChosenModel>();

  constructor(config: Config, env: Environment, baseDir: string) {
    this.#config = config;
    this.#env = env;
    this.#baseDir = baseDir;
  }

  /**
   * Finds a model by the name a step gives; an empty name means the default model, or the only one there is.
   * @throws SkillyardError MODEL_UNKNOWN with the names there are
   */
  choose(asked: string): ChosenModel {
    const models = this.#config.models ?? {};
    const names = Object.keys(models);
    const only = names.length === 1 ? names[0] : undefined;
    const name = asked !== '' ? asked : (this.#config.default_model ?? only ?? '');
    const config = Object.hasOwn(models, name) ? models[name] : undefined;
    if (config === undefined) throw unknownModel(asked, name, names);
    const known = this.#chosen.get(name);
    if (known !== undefined) return known;
    const timeoutMs =
      (config.timeout === undefined ? undefined : parseDurationMs(config.timeout)) ??
      DEFAULT_MODEL_TIMEOUT_MS;
    const chosen = { name, config, timeoutMs, client: this.#client(name, config) };
    this.#chosen.set(name, chosen);
    return chosen;
  }

  #client(name: string, config: ModelConfig): ModelClient {
    if (config.provider === 'scripted') {
      return new ScriptedClient([config.script].flat().map((file) => resolve(this.#baseDir, file)));
    }
    return new AiClient(name, config, this.#env);
  }
}

function unknownModel(asked: string, name: string, names: readonly string[]): SkillyardError {
  if (names.length === 0) {
    return new SkillyardError(
      'MODEL_UNKNOWN',
      'No model is configured. Add one under models: in the configuration.',
    );
  }
  const message =
    asked === '' && name === ''
      ? `The step names no model and the configuration has no default_model. Set one. The models are: ${names.join(', ')}.`
      : `There is no model "${name}" in the configuration${asked === '' ? ', which default_model names' : ''}. Add it under models:, or correct the name. ${namesHint(name, names, 'models')}`;
  return new SkillyardError('MODEL_UNKNOWN', message, { details: { model: name } });
}
