import { sep } from 'node:path';

/** Whether a path is a folder or lies in it. Both are absolute, without `..`, and their links are resolved where that matters. */
export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
