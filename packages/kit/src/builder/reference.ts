import { ReferenceBuilder, type ReferenceConfig } from './reference-builder.ts';

/** Begins a skill without a workflow: topics that are told on demand. */
export function reference(config: ReferenceConfig): ReferenceBuilder {
  return new ReferenceBuilder(config);
}
