import type { Buildable } from '../definition/skill-definition.ts';
import type { KitDiagnostic } from './kit-diagnostic.ts';

/** What was found, as lines for people; the last one counts. */
export function checkReport(definition: Buildable, found: readonly KitDiagnostic[]): string[] {
  if (definition.kind === 'reference') return [`✓ Reference skill "${definition.name}": no issues found.`];
  if (found.length === 0) return ['✓ No issues found.'];
  const errors = found.filter((one) => one.severity === 'error').length;
  const count = errors > 0 ? `${errors} error(s) found.` : `${found.length} warning(s).`;
  return [...found.map(lineOf), '', count];
}

function lineOf({ rule, severity, message, step, file }: KitDiagnostic): string {
  const place = step ?? file;
  return `${severity === 'error' ? '✗' : '⚠'} ${rule}${place === undefined ? '' : ` [${place}]`}: ${message}`;
}
