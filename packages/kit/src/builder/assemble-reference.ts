import type { FrontMatter, ReferenceDefinition, TopicConfig } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';
import { frontMatterOf } from './front-matter-of.ts';

export interface ReferenceSettings extends FrontMatter {
  readonly name: string;
  readonly description: string;
  readonly version?: string | undefined;
  readonly resolveVersion?: boolean | undefined;
  readonly package?: Readonly<Record<string, unknown>> | undefined;
}

/** Gathers the topics of a reference. */
export class ReferenceAssembly {
  readonly #settings: ReferenceSettings;
  readonly #topics = new Map<string, TopicConfig>();

  constructor(settings: ReferenceSettings) {
    this.#settings = settings;
  }

  topic(name: string, topic: TopicConfig): void {
    this.#topics.set(name, topic);
  }

  /** @throws KitError SKILL_DEFINITION_INVALID */
  build(): ReferenceDefinition {
    const settings = this.#settings;
    if (!settings.name) refuse('name is required');
    if (!settings.description) refuse('description is required');
    if (this.#topics.size === 0) refuse('at least one topic is required');
    return Object.freeze({
      kind: 'reference',
      name: settings.name,
      version: settings.version ?? '0.0.0',
      resolveVersion: settings.resolveVersion ?? false,
      description: settings.description,
      package: settings.package,
      ...frontMatterOf(settings),
      topics: Object.freeze(Object.fromEntries(this.#topics)),
    });
  }
}

function refuse(what: string): never {
  throw new KitError('SKILL_DEFINITION_INVALID', `reference: ${what}`);
}
