import { SKILL_SCHEMA_EN } from './skill-schema.en.generated.ts';
import { SKILL_SCHEMA_RU } from './skill-schema.ru.generated.ts';
import type { SkillSchema } from './skill-schema.ts';

/** A language in which the format is described. */
export type SchemaLanguage = 'en' | 'ru';

/**
 * The format of skill files as JSON Schema, for editors, for whoever writes skills, and for models that do.
 *
 * It says which keys there are, what they hold and why they exist, and refuses most of what spec section 14 refuses.
 * Whatever loads is valid under it; what it cannot say (a profile exists, keys on a step and inside its block agree, a
 * loop may fan out) is the validator's work. Both are the same schema but for `title` and `description`.
 */
export const SKILL_SCHEMAS: Readonly<Record<SchemaLanguage, SkillSchema>> = {
  en: SKILL_SCHEMA_EN,
  ru: SKILL_SCHEMA_RU,
};
