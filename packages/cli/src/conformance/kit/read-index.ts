import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Says which calls of a folder were recorded of behaviour that its authors call a defect. */
export interface DefectTags {
  /**
   * Ids of the defects that show in a file.
   * @param name as the index names it: a file, or a transcript without its ending
   * @param label words of one entry of the file; a row that names entries in backquotes means those only
   */
  of(name: string, label?: string): readonly string[];
}

interface Tag {
  readonly pattern: RegExp;
  /** Entries of the file; empty for all of it. */
  readonly labels: readonly string[];
  readonly ids: readonly string[];
  readonly warnings: boolean;
}

/** Reads the table of tagged files in `INDEX.md`. A folder without one has no tags. */
export async function readDefectTags(folder: string): Promise<DefectTags> {
  const text = await readFile(join(folder, 'INDEX.md'), 'utf8').catch(() => '');
  const tags = text.split('\n').flatMap(readRow);
  return {
    of: (name, label) => {
      const skill = name.split('.', 1)[0] ?? '';
      const ids = tags.flatMap((tag) => {
        if (tag.pattern.test(name)) {
          const meant =
            label === undefined || tag.labels.length === 0 || tag.labels.some((one) => isMeant(one, label));
          return meant ? tag.ids : [];
        }
        // What a skill prints on stderr, it prints over every transport.
        return tag.warnings && tag.pattern.source.startsWith(`^${skill}\\.`) ? tag.ids : [];
      });
      return [...new Set(ids)];
    },
  };
}

function readRow(line: string): Tag[] {
  const [files = '', ids = ''] = line.split('|').slice(1, -1);
  const found = ids.match(/\bD\d+\b/g);
  if (found === null) return [];
  const notes = files.match(/\([^)]*\)/g)?.join(' ') ?? '';
  let stem = '';
  return files
    .replaceAll(/\([^)]*\)/g, '')
    .split(',')
    .map((name) => name.trim().replaceAll('`', ''))
    .filter((name) => name !== '')
    .map((name) => {
      // `.other` is another scenario of the transport that was named before it.
      const whole = name.startsWith('.') ? `${stem}${name}` : name;
      stem = whole.split('.').slice(0, 2).join('.');
      const source = whole.replaceAll('.', String.raw`\.`).replaceAll('*', '.*');
      return {
        pattern: new RegExp(`^${source}(?:\\.|$)`),
        labels: whole.endsWith('.json') ? labelsIn(notes) : [],
        ids: found,
        warnings: /stderr warnings/.test(ids),
      };
    });
}

/** Where one entry is named in backquotes, the others between the commas are names as well. */
function labelsIn(notes: string): string[] {
  if (!notes.includes('`')) return [];
  return notes
    .replaceAll(/^\(|\)$/g, '')
    .split(',')
    .map((label) => label.trim().replaceAll('`', ''));
}

/** A label may be shortened to some of its words. */
function isMeant(named: string, label: string): boolean {
  const words = label.split(' ');
  return named.split(' ').every((word) => words.includes(word));
}
