import { type FSWatcher, watch } from 'node:fs';
import { dirname, join } from 'node:path';

/** So long after a change nothing else may change: an editor writes a file in several goes. */
const QUIET_MS = 50;

/** Tells of changes of files, until it is closed. */
export class FileWatch {
  readonly #onChange: () => void;
  #watchers: FSWatcher[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Watches these files instead of those before. */
  set(files: readonly string[]): void {
    this.#closeWatchers();
    const names = new Set(files);
    // Folders, not files: editors put a new file in the place of the old one.
    this.#watchers = [...new Set(files.map((file) => dirname(file)))].map((folder) =>
      watch(folder, (_, name) => {
        if (name !== null && names.has(join(folder, name))) this.#tell();
      }),
    );
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#closeWatchers();
  }

  #tell(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#onChange, QUIET_MS);
  }

  #closeWatchers(): void {
    for (const watcher of this.#watchers) watcher.close();
  }
}
