import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { AnySchema } from '../definition/skill-definition.ts';
import type { FreshState } from './builder-state.ts';
import { SkillBuilder } from './skill-builder.ts';
import type { SkillConfig } from './skill-config.ts';
import type { EmptyObject, OutputOf } from './step-options.ts';

/** The params of a skill that declares none: what it is given, unchecked. */
type AnyParams = StandardSchemaV1<unknown, Readonly<Record<string, unknown>>>;

/** Begins a skill: `skill({ name, entry }).step(...).step(...).build()`. */
export function skill<
  Params extends AnySchema = AnyParams,
  Stores extends Readonly<Record<string, AnySchema>> = EmptyObject,
>(
  config: SkillConfig<Params, Stores>,
): SkillBuilder<FreshState<OutputOf<Params>, { readonly [Name in keyof Stores]: OutputOf<Stores[Name]> }>> {
  return new SkillBuilder(config);
}
