/**
 * Folders of skills, by the names in their headers.
 *
 * S1 Only what loads counts. A file that stops loading keeps its last version that did, and a diagnostic says so.
 * S2 A file that is being written is left alone until it has been still for a moment; one that is new counts at once,
 *    since there is nothing better.
 * S3 Of two files with one name, the first counts: folders in their order, then files in the order of their names.
 * S4 What was handed out does not change: a turn keeps the version it started with.
 */
import { type Diagnostic, SkillyardError } from '@skillyard/contracts';
import { type Candidate, type Listing, listCandidates } from './list-candidates.ts';
import { type FileState, readCandidate } from './read-candidate.ts';
import { isSelected, type SkillVersion, type StoredSkill, type VersionSelector } from './skill-version.ts';
import { loadVersion } from './load-version.ts';
import { restoreFile } from './restore-file.ts';
import { VersionHistory } from './version-history.ts';
import { DirectoryWatch } from './watch-directories.ts';

export interface SkillStoreOptions {
  /** Absolute; the order decides which of two skills of one name counts. */
  readonly folders: readonly string[];
  /** Versions of one skill that are remembered, the current one included; 20 when absent. */
  readonly keep?: number;
  /** How long a file has to be still before a change of it counts, in milliseconds; 100 when absent. */
  readonly settleMs?: number;
  /** Of all skill files together; 64 MiB when absent. What comes after is left out, with a diagnostic. */
  readonly maxBytes?: number;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** A skill has another version than before, or its first. */
export type OnSkillChange = (version: SkillVersion) => void;

const KEEP = 20;
const SETTLE_MS = 100;
/** A flow of many small steps takes some twenty times as much memory once it is read. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Changes that the system does not tell of, on network file systems above all, are found this often. */
const LOOK_AGAIN_MS = 10_000;

/** What is known of a file. */
interface FileRecord {
  readonly state: FileState;
  /** Under which it is found; null for a file that is no skill. */
  readonly name: string | null;
  /** The last version that loaded. */
  readonly good: StoredSkill | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** A folder, and what is known of its files. */
interface LookedAt {
  readonly listing: Listing;
  readonly records: FileRecord[];
  readonly diagnostics: Diagnostic[];
}

export class SkillStore {
  readonly #options: SkillStoreOptions;
  readonly #history: VersionHistory;
  #files: ReadonlyMap<string, FileRecord> = new Map();
  #index: ReadonlyMap<string, FileRecord> = new Map();
  #diagnostics: readonly Diagnostic[] = [];
  #directories: readonly string[] = [];
  readonly #listeners = new Set<OnSkillChange>();
  /** The looking that runs, or the last one: one after the other. */
  #looking: Promise<boolean> = Promise.resolve(true);

  private constructor(options: SkillStoreOptions) {
    this.#options = options;
    this.#history = new VersionHistory(Math.max(1, options.keep ?? KEEP));
  }

  /** Reads the folders. Never throws for what they hold: see {@link SkillStore.diagnostics}. */
  static async open(options: SkillStoreOptions): Promise<SkillStore> {
    const store = new SkillStore(options);
    await store.refresh();
    return store;
  }

  /** Names of all skills, those that have never loaded included, in the order of S3. */
  names(): readonly string[] {
    return [...this.#index.keys()];
  }

  /** The current version of every skill that has loaded, in the order of S3. */
  all(): readonly StoredSkill[] {
    return [...this.#index.values()].flatMap(({ good }) => (good === null ? [] : [good]));
  }

  /**
   * The current version of a skill, or the one that is asked for.
   * @returns undefined when there is none
   * @throws SkillyardError SKILL_INVALID if there is a file of this name that has never loaded
   */
  get(name: string, selector?: VersionSelector): StoredSkill | undefined {
    const file = this.#index.get(name);
    if (file?.good && (selector === undefined || isSelected(file.good, selector))) return file.good;
    if (selector !== undefined) {
      const version = this.#history.find(name, selector);
      return version && loadVersion(version);
    }
    if (file !== undefined) throw refused(name, file.diagnostics);
    return undefined;
  }

  /** The versions of a skill that are remembered, oldest first; the last one is the current one. */
  history(name: string): readonly SkillVersion[] {
    return this.#history.of(name);
  }

  /** What is wrong with the folders and their files, in the order of S3. */
  diagnostics(): readonly Diagnostic[] {
    return this.#diagnostics;
  }

  /**
   * Looks at the folders again.
   * @returns whether all is settled: false while a file is being written
   */
  refresh(): Promise<boolean> {
    this.#looking = this.#looking.then(() => this.#look());
    return this.#looking;
  }

  /**
   * Puts an earlier version back into its file. It becomes the current one, and stays in the history as the latest.
   * @throws SkillyardError SKILL_NOT_FOUND if no such version is remembered, FILE_UNWRITABLE
   */
  async rollback(name: string, selector: VersionSelector): Promise<StoredSkill> {
    const version = this.#history.find(name, selector);
    if (version === undefined) {
      const known = this.#history
        .of(name)
        .map((one) => `${one.version || 'without a version'} (${one.hash})`);
      const message = `no version ${'hash' in selector ? selector.hash : selector.version} of the skill "${name}" is remembered; there are: ${known.join(', ') || 'none'}`;
      throw new SkillyardError('SKILL_NOT_FOUND', message, { details: { skill: name } });
    }
    await restoreFile(this.#index.get(name)?.good ?? version, version.text);
    // Written by us and in one piece: no need to wait until it is still.
    this.#looking = this.#looking.then(() => this.#look(version.hash));
    await this.#looking;
    return this.#index.get(name)?.good ?? loadVersion(version);
  }

  /**
   * Follows changes of the folders until it is closed.
   * @param onChange is told each version that becomes the current one of its skill
   */
  watch(onChange?: OnSkillChange): { close(): void } {
    const settleMs = this.#settleMs;
    let timer: NodeJS.Timeout | undefined;
    let isOpen = true;
    const later = (): void => {
      if (!isOpen) return;
      clearTimeout(timer);
      timer = setTimeout(() => void look(), settleMs);
    };
    const look = async (): Promise<void> => {
      const isSettled = await this.refresh();
      if (!isOpen) return;
      watcher.follow(this.#directories);
      if (!isSettled) later();
    };
    if (onChange !== undefined) this.#listeners.add(onChange);
    const watcher = new DirectoryWatch(later);
    watcher.follow(this.#directories);
    const again = setInterval(later, LOOK_AGAIN_MS);
    again.unref();
    // What changed between the first reading and now has been told to nobody.
    later();
    return {
      close: () => {
        isOpen = false;
        if (onChange !== undefined) this.#listeners.delete(onChange);
        clearTimeout(timer);
        clearInterval(again);
        watcher.close();
      },
    };
  }

  get #settleMs(): number {
    return this.#options.settleMs ?? SETTLE_MS;
  }

  /** @param ours hash of a text that this store wrote itself */
  async #look(ours?: string): Promise<boolean> {
    const files = new Map<string, FileRecord>();
    const folders: LookedAt[] = [];
    const maxBytes = this.#options.maxBytes ?? MAX_BYTES;
    let bytes = 0;
    let isSettled = true;
    for (const folder of new Set(this.#options.folders)) {
      const listing = await listCandidates(folder);
      const records: FileRecord[] = [];
      const diagnostics = [...listing.diagnostics];
      folders.push({ listing, records, diagnostics });
      for (const candidate of bytes > maxBytes ? [] : listing.candidates) {
        const known = this.#files.get(candidate.path);
        const record = await this.#read(candidate, known, ours);
        if (record === 'unsettled') isSettled = false;
        const kept = record === 'unsettled' ? known : record;
        if (kept === undefined) continue;
        if (kept.good !== null) bytes += kept.state.bytes;
        if (bytes > maxBytes) {
          diagnostics.push(tooManyBytes(candidate, maxBytes));
          break;
        }
        files.set(candidate.path, kept);
        records.push(kept);
      }
    }
    this.#files = files;
    this.#directories = folders.flatMap(({ listing }) => listing.directories);
    this.#take(folders);
    return isSettled;
  }

  /** @returns undefined when there is nothing at the path */
  async #read(
    candidate: Candidate,
    known: FileRecord | undefined,
    ours: string | undefined,
  ): Promise<FileRecord | 'unsettled' | undefined> {
    const result = await readCandidate(candidate, known?.state);
    switch (result.kind) {
      case 'absent':
        return undefined;
      case 'unchanged':
        return known;
      case 'unsettled':
        return 'unsettled';
      case 'loaded': {
        const { state, skill } = result;
        if (known?.good && skill.hash !== ours && this.#isFresh(state)) return 'unsettled';
        return { state, name: skill.name, good: skill, diagnostics: [] };
      }
      case 'refused': {
        const { state, name, diagnostics } = result;
        const good = known?.good ?? null;
        if (good !== null && this.#isFresh(state)) return 'unsettled';
        return { state, name: good?.name ?? name, good, diagnostics };
      }
    }
  }

  #isFresh({ modifiedAtMs }: FileState): boolean {
    // The clock of files runs in finer steps than ours: a file may seem to come from the future.
    const ageMs = Math.abs((this.#options.now ?? Date.now)() - modifiedAtMs);
    return ageMs < this.#settleMs;
  }

  #take(folders: readonly LookedAt[]): void {
    const index = new Map<string, FileRecord>();
    const diagnostics: Diagnostic[] = [];
    for (const { records, diagnostics: told } of folders) {
      diagnostics.push(...told);
      for (const record of records) {
        diagnostics.push(...record.diagnostics);
        if (record.name === null) continue;
        const first = index.get(record.name);
        if (first === undefined) index.set(record.name, record);
        else diagnostics.push(shadowed(record, first));
      }
    }
    this.#index = index;
    this.#diagnostics = diagnostics;
    for (const { good } of index.values()) {
      if (good === null || !this.#history.add(good)) continue;
      for (const tell of this.#listeners) tell(good);
    }
  }
}

function refused(name: string, diagnostics: readonly Diagnostic[]): SkillyardError {
  const [first] = diagnostics;
  const { line, column } = first?.position ?? { line: 1, column: 1 };
  const message = `skill "${name}" is refused: ${first?.file ?? ''}:${line}:${column}: ${first?.message ?? ''}`;
  return new SkillyardError('SKILL_INVALID', message, { details: { skill: name, file: first?.file ?? '' } });
}

function tooManyBytes({ path, file }: Candidate, maxBytes: number): Diagnostic {
  return {
    code: 'FOLDER_TOO_LARGE',
    severity: 'error',
    message: `with ${path} all skill files have more than ${maxBytes} bytes; it and those after it are left out`,
    hint: 'Keep skills in a folder of their own, and data in assets.',
    file,
  };
}

function shadowed(record: FileRecord, first: FileRecord): Diagnostic {
  const file = record.good?.file ?? record.diagnostics[0]?.file ?? '';
  const other = first.good?.path ?? first.diagnostics[0]?.file ?? '';
  return {
    code: 'SKILL_NAME_TWICE',
    severity: 'warning',
    message: `the skill "${record.name ?? ''}" of ${file} is hidden by that of ${other}, which comes first`,
    hint: 'Give one of them another name.',
    file,
  };
}
