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
  const made = isNamed(wanted) ? wanted : 'missing';
  const running = isNamed(supervisor) ? supervisor : 'missing';
  if (made === running && made !== 'missing') return null;
  return `supervisor version ${running} does not match yield_version ${made} of skill.json`;
}

function isNamed(version: unknown): version is string {
  return typeof version === 'string' && version !== '';
}

function fieldsOf(manifest: string): { readonly version?: unknown; readonly yield_version?: unknown } {
  try {
    return (JSON.parse(manifest) as object | null) ?? {};
  } catch {
    return {};
  }
}
