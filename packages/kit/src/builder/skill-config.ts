import type { AnySchema, FrontMatter, HostedSettings, ObserverMap } from '../definition/skill-definition.ts';

/** What is said of a skill before its first step. */
export interface SkillConfig<
  Params extends AnySchema = AnySchema,
  Stores extends Readonly<Record<string, AnySchema>> = Readonly<Record<string, AnySchema>>,
> extends FrontMatter {
  /** Lower-case letters, digits and hyphens. */
  readonly name: string;
  /** The step that comes first. */
  readonly entry: string;
  /** `0.0.0` when absent. */
  readonly version?: string | undefined;
  /** The version is that of the nearest package.json when the skill is built. */
  readonly resolveVersion?: boolean | undefined;
  readonly description?: string | undefined;
  /** Words that make an agent think of the skill; they are added to the description. */
  readonly triggers?: readonly string[] | undefined;
  /** Persona or framing, in front of everything else. */
  readonly system?: string | undefined;
  readonly params?: Params | undefined;
  /** State that belongs to no step, written by `save`. */
  readonly stores?: Stores | undefined;
  readonly observers?: ObserverMap | undefined;
  /** What the last response must fit. */
  readonly finalOutput?: AnySchema | undefined;
  /** The text of SKILL.md, or what makes it of the generated one. */
  readonly skillMd?: string | ((generated: string) => string) | undefined;
  /** Merged into the generated package.json. */
  readonly package?: Readonly<Record<string, unknown>> | undefined;
  /** For the skill on the platform. */
  readonly hosted?: HostedSettings | undefined;
}
