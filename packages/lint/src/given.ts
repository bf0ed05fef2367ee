/** The server whose tools the application itself provides; it is registered everywhere. */
export const BUILTIN = 'builtin';

/** Whether a list says something: an empty one counts as unknown (spec section 15). */
export function isGiven<T>(list: readonly T[] | undefined): list is readonly T[] {
  return list !== undefined && list.length > 0;
}

/** Whether a table says something. */
export function isFilled<T>(
  table: Readonly<Record<string, T>> | undefined,
): table is Readonly<Record<string, T>> {
  return table !== undefined && Object.keys(table).length > 0;
}

/** What a table says of a name; a name such as `constructor` is a name like any other. */
export function entryOf<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
