/** A record by names that authors give: it has no prototype, so `constructor` is no name until somebody adds it. */
export function emptyTable<T>(): Record<string, T> {
  return Object.create(null) as Record<string, T>;
}

/** A frozen copy: later calls of a builder do not change what it has built. */
export function frozenTable<T>(table: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.freeze(Object.assign(emptyTable<T>(), table));
}
