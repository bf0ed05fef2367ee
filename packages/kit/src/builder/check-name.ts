import { KitError } from '../kit-error.ts';

const MAX_CHARS = 64;
const NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/u;

/**
 * Refuses a name that is none by the Agent Skills standard. It becomes part of paths, commands and tool names.
 * @param kind begins the message
 * @throws KitError SKILL_DEFINITION_INVALID
 */
export function checkName(kind: string, name: string): void {
  if (NAME.test(name) && name.length <= MAX_CHARS) return;
  throw new KitError(
    'SKILL_DEFINITION_INVALID',
    `${kind}: ${JSON.stringify(name)} is no name; it has 1 to ${MAX_CHARS} lower-case letters, digits and single hyphens between them`,
  );
}
