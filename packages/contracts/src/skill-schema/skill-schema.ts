/** A JSON Schema (2020-12), with the keywords by which it is walked. */
export interface SkillSchema {
  readonly title?: string;
  readonly description?: string;
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | null)[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, SkillSchema>>;
  readonly additionalProperties?: boolean | SkillSchema;
  readonly allOf?: readonly SkillSchema[];
  readonly examples?: readonly string[];
  readonly items?: SkillSchema;
  readonly $defs?: Readonly<Record<string, SkillSchema>>;
  readonly [keyword: string]: unknown;
}
