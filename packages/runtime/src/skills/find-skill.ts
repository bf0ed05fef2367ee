import { SkillStore, type SkillVersion, type StoredSkill } from '@skillyard/catalog';
import { SkillyardError } from '@skillyard/contracts';
import { suggest } from '../config/nearest.ts';

/** Finds skills by the name in their header: the one way to them, for either driver. */
export interface SkillFinder {
  /**
   * @param version another one than the current: its `skill_version`, or its hash
   * @returns a version of the skill, which does not change any more
   * @throws SkillyardError SKILL_NOT_FOUND that says where was looked and what is there; SKILL_INVALID for a skill that
   *   has never loaded; FILE_UNREADABLE for a folder
   */
  read(name: string, version?: string): Promise<StoredSkill>;
  /** The versions of a skill that were seen, the newest first; none when there is no such skill. */
  versions(name: string): Promise<readonly SkillVersion[]>;
  /**
   * The name of every skill there is.
   * @throws SkillyardError FILE_UNREADABLE if a folder cannot be read
   */
  names(): Promise<readonly string[]>;
  /**
   * The current version of every skill that loads.
   * @throws SkillyardError FILE_UNREADABLE if a folder cannot be read
   */
  all(): Promise<readonly StoredSkill[]>;
  /** Ends the following of changes. */
  close(): void;
}

const LOOK_EVERY_MS = 100;

/**
 * Looks for skills in folders: `*.yaml` and `*.yml` in each, and `<any>/skill.yaml` one level below.
 * Of two files with the same name in their header, the one in the folder given first counts.
 * The folders are read at the first question.
 * @param folders absolute
 * @param changes `ignored`: what was read first stays, as one run wants it; `followed`: until the finder is closed
 */
export function createSkillFinder(
  folders: readonly string[],
  changes: 'ignored' | 'followed' = 'ignored',
): SkillFinder {
  const searched = [...new Set(folders)];
  let opening: Promise<SkillStore> | undefined;
  let watching: { close(): void } | undefined;
  let isClosed = false;

  const open = async (): Promise<SkillStore> => {
    const store = await SkillStore.open({ folders: searched });
    if (changes === 'followed' && !isClosed) watching = store.watch();
    return store;
  };
  const opened = (): Promise<SkillStore> => (opening ??= open());

  let lookedAtMs = 0;
  /** A file may be newer than what the system has told of it. Not at every question: listing folders is slow. */
  const foundNow = async (store: SkillStore, name: string): Promise<StoredSkill | undefined> => {
    const nowMs = Date.now();
    if (nowMs - lookedAtMs < LOOK_EVERY_MS) return undefined;
    lookedAtMs = nowMs;
    await store.refresh();
    return store.get(name);
  };

  const read = async (name: string, version?: string): Promise<StoredSkill> => {
    const store = await opened();
    const found = store.get(name) ?? (changes === 'followed' ? await foundNow(store, name) : undefined);
    if (found !== undefined) return version === undefined ? found : versionOf(store, name, version);
    checkFolders(store, searched);
    const known = suggest(name, store.names().toSorted());
    const message = `there is no skill "${name}" in ${searched.join(', ')}; ${known}`;
    throw new SkillyardError('SKILL_NOT_FOUND', message, { details: { skill: name, folders: searched } });
  };

  return {
    read,
    async versions(name) {
      return (await opened()).history(name).toReversed();
    },
    async all() {
      const store = await opened();
      checkFolders(store, searched);
      return store.all();
    },
    async names() {
      const store = await opened();
      checkFolders(store, searched);
      return store.names();
    },
    close() {
      isClosed = true;
      watching?.close();
    },
  };
}

function versionOf(store: SkillStore, name: string, version: string): StoredSkill {
  const found = store.get(name, { version }) ?? store.get(name, { hash: version });
  if (found !== undefined) return found;
  const known = store.history(name).map((one) => one.version || one.hash);
  const message = `no version "${version}" of the skill "${name}" is remembered; there are: ${known.join(', ')}`;
  throw new SkillyardError('SKILL_NOT_FOUND', message, { details: { skill: name, version } });
}

function checkFolders(store: SkillStore, folders: readonly string[]): void {
  const problem = store.diagnostics().find(({ file }) => file !== undefined && folders.includes(file));
  if (problem === undefined) return;
  const { message, hint = '', file = '' } = problem;
  throw new SkillyardError('FILE_UNREADABLE', `${message}; ${hint}`, { details: { file } });
}
