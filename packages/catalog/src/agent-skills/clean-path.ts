/**
 * A path without `.`, `..` and doubled slashes, by its text alone.
 * @returns undefined when it climbs out of where it starts; an absolute path cannot
 */
export function cleanPath(path: string): string | undefined {
  const absolute = path.startsWith('/');
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.length > 0) parts.pop();
    else if (!absolute) return undefined;
  }
  return (absolute ? '/' : '') + parts.join('/');
}
