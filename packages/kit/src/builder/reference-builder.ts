import type { FrontMatter, ReferenceDefinition, TopicConfig } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';
import { checkName } from './check-name.ts';
import { described } from './described.ts';
import { emptyTable, frozenTable } from './frozen-table.ts';
import { frontMatterOf } from './front-matter.ts';
import { requireFields } from './require-fields.ts';

/** What is said of a reference skill before its first topic. */
export interface ReferenceConfig extends FrontMatter {
  /** Lower-case letters, digits and hyphens. */
  readonly name: string;
  readonly description: string;
  /** Words that make an agent think of it; they are added to the description. */
  readonly triggers?: readonly string[] | undefined;
  /** `0.0.0` when absent. */
  readonly version?: string | undefined;
  /** The version is that of the nearest package.json when it is built. */
  readonly resolveVersion?: boolean | undefined;
  /** Merged into the generated package.json. */
  readonly package?: Readonly<Record<string, unknown>> | undefined;
}

/** A reference skill that is being written, topic by topic. */
export class ReferenceBuilder {
  readonly #config: ReferenceConfig;
  readonly #topics = emptyTable<TopicConfig>();

  constructor(config: ReferenceConfig) {
    this.#config = config;
  }

  /** Adds a topic; one of the same name is replaced. */
  topic(name: string, topic: TopicConfig): this {
    this.#topics[name] = Object.freeze({ ...topic });
    return this;
  }

  /**
   * The finished reference skill, frozen.
   * @throws KitError SKILL_DEFINITION_INVALID for a bad name or without topics
   */
  build(): ReferenceDefinition {
    const config = this.#config;
    requireFields('reference', config, ['name', 'description']);
    checkName('reference', config.name);
    if (Object.keys(this.#topics).length === 0) {
      throw new KitError('SKILL_DEFINITION_INVALID', 'reference: it has no topics; add one with .topic()');
    }
    return Object.freeze({
      kind: 'reference',
      name: config.name,
      version: config.version ?? '0.0.0',
      resolveVersion: config.resolveVersion ?? false,
      description: described(config.description, config.triggers) ?? '',
      package: config.package,
      ...frontMatterOf(config),
      topics: frozenTable(this.#topics),
    });
  }
}
