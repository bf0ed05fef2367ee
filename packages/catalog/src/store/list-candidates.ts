import type { Dirent } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Diagnostic } from '@skillyard/contracts';

/** A file that may be a skill. */
export interface Candidate {
  /** Absolute. */
  readonly path: string;
  /** From its folder on. */
  readonly file: string;
  /** What a skill is called whose header cannot be read. */
  readonly fallback: string;
}

/** What a folder of skills holds. */
export interface Listing {
  readonly candidates: readonly Candidate[];
  /** The folder itself and those in it: changes are looked for there. */
  readonly directories: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Entries of a folder that are looked at. A folder with more is no folder of skills, and listing it would take minutes. */
const MAX_ENTRIES = 10_000;
/** The configuration lies beside skills, and is none. */
const NOT_SKILLS = new Set(['skillyard']);

/**
 * Lists `*.yaml` and `*.yml` of a folder, and `<any>/skill.yaml` one level below, in the order of their names. Entries that
 * begin with a dot are passed over. Never throws: a folder that cannot be read is empty, with a diagnostic.
 * @param folder absolute
 */
export async function listCandidates(folder: string): Promise<Listing> {
  const entries: Dirent[] = [];
  const diagnostics: Diagnostic[] = [];
  try {
    for await (const entry of await opendir(folder)) {
      if (entries.length < MAX_ENTRIES) entries.push(entry);
      else {
        diagnostics.push(tooMany(folder));
        break;
      }
    }
  } catch (error) {
    diagnostics.push(unreadable(folder, error));
  }
  const candidates: Candidate[] = [];
  const directories = [folder];
  // The order of the file system differs from machine to machine; which of two skills of one name counts must not.
  for (const entry of entries.toSorted(byName)) {
    const { name } = entry;
    if (name.startsWith('.')) continue;
    const stem = /^(.+)\.ya?ml$/.exec(name)?.[1];
    if (stem !== undefined && !NOT_SKILLS.has(stem)) {
      candidates.push({ path: join(folder, name), file: name, fallback: stem });
    } else if (entry.isDirectory()) {
      directories.push(join(folder, name));
      const file = join(name, 'skill.yaml');
      candidates.push({ path: join(folder, file), file, fallback: name });
    }
  }
  return { candidates, directories, diagnostics };
}

function byName(a: Dirent, b: Dirent): number {
  return a.name < b.name ? -1 : 1;
}

function unreadable(folder: string, error: unknown): Diagnostic {
  const reason = error instanceof Error ? error.message : String(error);
  return {
    code: 'FILE_UNREADABLE',
    severity: 'error',
    message: `the skill folder ${folder} cannot be read: ${reason}`,
    hint: 'Correct `skills` in the configuration.',
    file: folder,
  };
}

function tooMany(folder: string): Diagnostic {
  return {
    code: 'FOLDER_TOO_LARGE',
    severity: 'error',
    message: `the skill folder ${folder} has more than ${MAX_ENTRIES} entries; the rest was not looked at`,
    hint: 'Keep skills in a folder of their own.',
    file: folder,
  };
}
