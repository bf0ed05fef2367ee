import { relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The package of this kit; its bundled modules are seen as its sources. */
const KIT = resolve(fileURLToPath(new URL('../../', import.meta.url)));

const FRAME = /^\s+at (?:.*\()?(?:file:\/\/)?(\/.+?|[A-Za-z]:\\.+?):(\d+):(\d+)\)?$/;

/**
 * Where in the sources of an author an error arose, or where they called what has thrown it. Wants source maps, see
 * `process.setSourceMapsEnabled`.
 * @param cwd what the path is seen from
 * @returns `file:line:column`; null when the stack of neither the error nor its causes says
 */
export function placeInSource(error: unknown, cwd: string): string | null {
  if (!(error instanceof Error)) return null;
  // The cause is nearer to where it began.
  const before = placeInSource(error.cause, cwd);
  if (before !== null) return before;
  for (const line of error.stack?.split('\n') ?? []) {
    const [, path, row, column] = FRAME.exec(line) ?? [];
    if (path === undefined || !isOfAuthor(path)) continue;
    return `${relative(cwd, path)}:${row}:${column}`;
  }
  return null;
}

function isOfAuthor(path: string): boolean {
  return !path.startsWith(KIT + sep) && !path.includes(`${sep}node_modules${sep}`);
}
