/** The text of an asset as it was when it was last fetched. */
export interface AssetCopy {
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly fetchedAtMs: number;
}

/**
 * Copies of assets: fresh within `ttl`, and the last resort of `on_unavailable: stale`.
 *
 * A copy may be gone at any time; then the asset is fetched. So an implementation that cannot be reached answers
 * undefined and keeps nothing, rather than failing a step that could do without it.
 */
export interface AssetCopies {
  get(key: string): Promise<AssetCopy | undefined>;
  /** Replaces the copy under this key. */
  put(key: string, copy: AssetCopy): Promise<void>;
}

export interface CopyLimits {
  readonly copies: number;
  /** UTF-16 code units of all texts together. */
  readonly characters: number;
}

const DEFAULT_LIMITS: CopyLimits = { copies: 500, characters: 32 * 1024 * 1024 };

/** Copies of this process. When there are too many, those go that were not used for the longest time. */
export function localCopies(limits: CopyLimits = DEFAULT_LIMITS): AssetCopies {
  // In the order of their last use.
  const kept = new Map<string, AssetCopy>();
  let characters = 0;

  const drop = (key: string): void => {
    characters -= kept.get(key)?.text.length ?? 0;
    kept.delete(key);
  };
  return {
    get: async (key) => {
      const copy = kept.get(key);
      if (copy === undefined) return undefined;
      kept.delete(key);
      kept.set(key, copy);
      return copy;
    },
    put: async (key, copy) => {
      drop(key);
      if (copy.text.length > limits.characters) return;
      kept.set(key, copy);
      characters += copy.text.length;
      for (const oldest of kept.keys()) {
        if (kept.size <= limits.copies && characters <= limits.characters) break;
        drop(oldest);
      }
    },
  };
}
