import { readFileSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { References } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';

/** Reads the files beside a skill. Nothing outside its folder is reached, whatever names are asked for. */
export function skillReferences(skillDir: string): References {
  const folder = join(skillDir, 'references');
  const texts = new Map<string, string>();
  return {
    load(file) {
      const path = within(folder, file);
      const known = texts.get(path);
      if (known !== undefined) return known;
      const text = read(path, file);
      texts.set(path, text);
      return text;
    },
    asset: (path) => within(skillDir, path),
  };
}

function read(path: string, file: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new KitError('REFERENCE_MISSING', `reference "${file}" cannot be read: there is no file ${path}`, {
      cause: error,
    });
  }
}

/** Names may come from answers of the model: they must not lead out. */
function within(folder: string, name: string): string {
  const path = resolve(folder, name);
  const way = relative(folder, path);
  if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way))
    throw new KitError('REFERENCE_MISSING', `"${name}" lies outside ${folder}: name a file in it`);
  return path;
}
