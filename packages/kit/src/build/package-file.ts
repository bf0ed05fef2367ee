import type { Buildable } from '../definition/skill-definition.ts';

/**
 * The text of `package.json`: what is there already, under what the skill says of its package, under name and version.
 * @param existing the text of the one that is there; null when there is none
 * @returns null in `warning` when nothing is odd
 */
export function packageFile(
  definition: Buildable,
  existing: string | null,
): { readonly text: string; readonly warning: string | null } {
  const before = existing === null ? {} : objectIn(existing);
  const { name = definition.name, ...given } = definition.package ?? {};
  const merged = { ...before, ...given, name, version: definition.version };
  return {
    text: JSON.stringify(merged, null, 2),
    warning: before === null ? 'the package.json that was there is no JSON object and is replaced' : null,
  };
}

function objectIn(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
