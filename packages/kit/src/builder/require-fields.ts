import { KitError } from '../kit-error.ts';

/**
 * Refuses a config in which something is missing or empty. Types say so too; this is for who has none.
 * @param kind begins the message
 * @throws KitError SKILL_DEFINITION_INVALID
 */
export function requireFields<Config extends object>(
  kind: string,
  config: Config,
  fields: readonly (keyof Config & string)[],
): void {
  const missing = fields.filter((field) => config[field] === undefined || config[field] === '');
  if (missing.length === 0) return;
  throw new KitError(
    'SKILL_DEFINITION_INVALID',
    `${kind}: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} required`,
  );
}
