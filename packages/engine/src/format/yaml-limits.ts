/** What a skill file may cost before it is known to be one. A skill written by hand stays far below each of these. */

/** Bytes of the file, as UTF-8. */
export const MAX_BYTES = 1_048_576;
/** YAML tokens. Reading costs some microseconds for each. */
export const MAX_TOKENS = 200_000;
/** Levels of lists and mappings inside each other, aliases written out. Every walk over a skill is recursive. */
export const MAX_DEPTH = 200;
/**
 * Size with all aliases written out: 8 for each value, 1 for each character. A file without aliases cannot reach it,
 * since it needs two characters for each value.
 */
export const MAX_EXPANDED = 8 * MAX_BYTES;
