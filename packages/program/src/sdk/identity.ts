/**
 * Whether a program and its supervisor are of one release.
 * @param manifest the text of `skill.json` in the working directory; null: there is none. One that is no JSON, or of
 *   another version than 1, binds nobody
 * @param supervisor the version that the supervisor says it is
 * @returns the problem in words; null: there is none
 */
export function identityProblem(manifest: string | null, supervisor: string | undefined): string | null {
  const { version, yield_version: wanted } = fieldsOf(manifest ?? 'null');
  if (version !== 1) return null;
  const made = typeof wanted === 'string' && wanted !== '' ? wanted : null;
  if (made !== null && made === supervisor) return null;
  return `supervisor version ${supervisor ?? 'missing'} does not match yield_version ${made ?? 'missing'} of skill.json`;
}

function fieldsOf(manifest: string): { readonly version?: unknown; readonly yield_version?: unknown } {
  try {
    return (JSON.parse(manifest) as object | null) ?? {};
  } catch {
    return {};
  }
}
