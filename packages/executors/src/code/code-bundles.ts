import { createHash } from 'node:crypto';
import { opendir, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { type CodeRef, SkillyardError } from '@skillyard/contracts';
import { skillDigest } from '@skillyard/program/supervisor';
import { parse } from 'yaml';

/** The code of a skill, as it lies in a folder here. */
export interface CodeBundle extends CodeRef {
  /** Absolute: what is run; of a program its manifest. */
  readonly file: string;
  /** Absolute: the folder of the skill. */
  readonly folder: string;
}

/** How soon folders are looked through again for a version that was not there. */
const LOOK_EVERY_MS = 1000;
/** Longer ones are no description of a skill. */
const LONGEST_DESCRIPTION_BYTES = 1024 * 1024;

/**
 * The code of the skills in folders, by its hash: `skill.yaml` in each, and `<any>/skill.yaml` one level below. They are
 * looked through at the first question, and again when a version is asked for that was not there: it may have been
 * deployed since.
 */
export class CodeBundles {
  readonly #folders: readonly string[];
  /** By the key of their reference. */
  #bundles = new Map<string, CodeBundle>();
  /** Descriptions whose code is another one than they say. */
  #refused: string[] = [];
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | undefined;

  /** @param folders absolute */
  constructor(folders: readonly string[]) {
    this.#folders = [...new Set(folders)];
  }

  /**
   * The code that a turn began with.
   * @throws SkillyardError CODE_UNKNOWN with what is wanted and what there is
   */
  async find(wanted: CodeRef): Promise<CodeBundle> {
    const known = this.#bundles.get(keyOf(wanted));
    // It may have been built anew in the same place: then it is another version.
    if (known !== undefined && (await hashOf(known)) === known.sha256) return known;
    await this.#look();
    const found = this.#bundles.get(keyOf(wanted));
    if (found !== undefined) return found;
    throw this.#unknown(wanted);
  }

  #look(): Promise<void> {
    if (Date.now() - this.#lookedAtMs < LOOK_EVERY_MS) return this.#looking ?? Promise.resolve();
    this.#lookedAtMs = Date.now();
    this.#looking = this.#lookThrough();
    return this.#looking;
  }

  async #lookThrough(): Promise<void> {
    const bundles = new Map<string, CodeBundle>();
    const refused: string[] = [];
    for (const folder of this.#folders) {
      for (const description of await descriptionsIn(folder)) {
        const read = await readDescription(description);
        if (read === null) continue;
        if (!(await isInside(read))) {
          refused.push(`${placeOf(read)} names code that is not below its folder, and is not run.`);
          continue;
        }
        const actual = await hashOf(read);
        if (actual === read.sha256) bundles.set(keyOf(read), bundles.get(keyOf(read)) ?? read);
        else refused.push(mismatch(read, actual));
      }
    }
    this.#bundles = bundles;
    // A folder may be named by itself and by the one above it.
    this.#refused = [...new Set(refused)];
  }

  #unknown({ name, sha256 }: CodeRef): SkillyardError {
    const bundles = [...this.#bundles.values()];
    const others = bundles.map((bundle) => `${bundle.name} ${short(bundle.sha256)}`);
    const there = others.length === 0 ? 'no code of any skill' : others.toSorted().join(', ');
    // Where the folders are is no business of whoever submitted the turn.
    const count = this.#folders.length;
    const where =
      count === 0
        ? 'there are no skill folders'
        : `looked through ${count} skill folder${count === 1 ? '' : 's'}`;
    const refused = this.#refused.map((one) => ` ${one}`).join('');
    return new SkillyardError(
      'CODE_UNKNOWN',
      `The turn began with the code ${short(sha256)} of the skill "${name}", which is not here (${where}).${refused} There is ${there}. Deploy that version, too, or submit the turn anew.`,
      { details: { skill: name, sha256, known: bundles.map((bundle) => bundle.sha256) } },
    );
  }
}

/** Paths of what may describe a skill, in the order in which they count. */
async function descriptionsIn(folder: string): Promise<string[]> {
  const below: string[] = [];
  try {
    for await (const entry of await opendir(folder)) {
      if (entry.isDirectory() && !entry.name.startsWith('.'))
        below.push(join(folder, entry.name, 'skill.yaml'));
    }
  } catch {
    // The folder is not there: whoever reads the skills in it says so.
    return [];
  }
  return [join(folder, 'skill.yaml'), ...below.toSorted()];
}

/** The code that a description names; null when it is none of code. */
async function readDescription(path: string): Promise<CodeBundle | null> {
  let document: unknown;
  try {
    const text = await readFile(path, 'utf8');
    if (text.length > LONGEST_DESCRIPTION_BYTES) return null;
    document = parse(text);
  } catch {
    return null;
  }
  const { name, mode, code } = recordOf(document);
  const { runtime, file, sha256 } = recordOf(code);
  if (mode !== 'code' || typeof file !== 'string' || typeof sha256 !== 'string') return null;
  if (runtime !== 'kit' && runtime !== 'program') return null;
  const folder = dirname(path);
  return { runtime, name: String(name), sha256, file: resolve(folder, file), folder };
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

const keyOf = ({ runtime, sha256 }: CodeRef): string => `${runtime} ${sha256}`;

/** The hash of the bytes of a file, or of the sources of a program; null when they cannot be read. */
async function hashOf({ runtime, file, folder }: CodeBundle): Promise<string | null> {
  try {
    if (runtime === 'program') return (await skillDigest(folder)).replace(/^sha256:/, '');
    return createHash('sha256')
      .update(await readFile(file))
      .digest('hex');
  } catch {
    return null;
  }
}

function mismatch(bundle: CodeBundle, actual: string | null): string {
  const { runtime, file, folder, sha256 } = bundle;
  const name = runtime === 'program' ? 'its program' : file.slice(folder.length + 1);
  if (actual === null) return `${placeOf(bundle)} names ${name}, which cannot be read.`;
  return `${placeOf(bundle)} names the code ${short(sha256)}, and ${name} is ${short(actual)}: it was changed after it was built, and is not run. Build it again.`;
}

/** What a description is called in messages: others than its owner read them. */
function placeOf({ folder }: CodeBundle): string {
  return join(basename(folder), 'skill.yaml');
}

/** Whether code lies below the folder of its description, links followed. */
async function isInside({ folder, file }: CodeBundle): Promise<boolean> {
  if (!file.startsWith(folder + sep)) return false;
  try {
    return (await realpath(file)).startsWith((await realpath(folder)) + sep);
  } catch {
    // It cannot be read: then there is no hash of it either.
    return true;
  }
}

const short = (sha256: string): string => sha256.slice(0, 12);
