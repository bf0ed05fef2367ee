import { type Environment, readPath } from '@skillyard/engine';
import { readVocabulary, type VocabularyInput } from './execute-case.ts';

/** The inputs of a function case that its surroundings are made of. */
export interface EnvironmentInput {
  readonly vars?: Readonly<Record<string, string>>;
  readonly assets?: Readonly<Record<string, string>>;
  readonly memory?: Readonly<Record<string, string>>;
  readonly vocabulary?: VocabularyInput;
}

/** Surroundings in which every value is there at once. */
export function caseEnvironment(input: EnvironmentInput): Environment {
  const vocabulary = readVocabulary(input.vocabulary);
  const vars = new Map(Object.entries(input.vars ?? {}));
  const assets = new Map(Object.entries(input.assets ?? {}));
  const memory = new Map(Object.entries(input.memory ?? {}));
  return {
    vocabulary,
    variable: (name) => vars.get(name),
    asset: (name) => assets.get(name) ?? '',
    memory: (handle, at) => {
      const whole = memory.get(handle);
      return whole === undefined ? { found: false } : readPath(whole, at, vocabulary.truncationNotes);
    },
  };
}
