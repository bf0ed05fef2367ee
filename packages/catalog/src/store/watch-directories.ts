import { type FSWatcher, watch } from 'node:fs';

/** Directories watched at once; changes in others are found by looking again. */
const MAX_WATCHED = 1000;

/**
 * Says that something changed in some directories. It says so at least once after a change and does not say what, since
 * what the system tells of a change differs between systems and gets lost on some.
 */
export class DirectoryWatch {
  readonly #onChange: () => void;
  readonly #watchers = new Map<string, FSWatcher>();

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Watches these and no others. One that cannot be watched is left out. */
  follow(directories: readonly string[]): void {
    const wanted = new Set(directories.slice(0, MAX_WATCHED));
    for (const [directory, watcher] of this.#watchers) {
      if (wanted.has(directory)) continue;
      watcher.close();
      this.#watchers.delete(directory);
    }
    for (const directory of wanted) {
      if (!this.#watchers.has(directory)) this.#open(directory);
    }
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #open(directory: string): void {
    try {
      const watcher = watch(directory, { persistent: false }, () => this.#onChange());
      watcher.on('error', () => {
        watcher.close();
        this.#watchers.delete(directory);
        this.#onChange();
      });
      this.#watchers.set(directory, watcher);
    } catch {
      // Gone, or the system watches no more: the store looks again from time to time.
    }
  }
}
