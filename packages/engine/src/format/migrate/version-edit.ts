import type { CST } from 'yaml';
import { trimSpace } from '../../flow/white-space.ts';
import type { PairSource } from './pair-source.ts';
import { lineEndAt, lineStart, type TextEdit } from './text-edit.ts';

/** The version that a migrated file declares: the first of the format it is carried over to. */
export const MIGRATED_VERSION = '2.0.0';

const QUOTED = `"${MIGRATED_VERSION}"`;

/**
 * Puts the version into the place of the one that is written. Its quotes, the blanks around it and its comment stay.
 * @returns undefined when there is no place for it
 */
export function replaceVersion(pair: PairSource): TextEdit | undefined {
  const { value, valueGap } = pair;
  if (value === undefined)
    return { offset: valueGap, removed: 0, inserted: `${pair.hasColon ? '' : ':'} ${QUOTED}` };
  switch (value.type) {
    case 'scalar':
      return replaceTrimmed(value.source, value.offset, isNull(value.source) ? QUOTED : MIGRATED_VERSION);
    case 'single-quoted-scalar':
    case 'double-quoted-scalar':
      return replaceTrimmed(value.source.slice(1, -1), value.offset + 1, MIGRATED_VERSION);
    case 'block-scalar': {
      const head = value.props.at(-1);
      if (trimSpace(value.source) === '' || head === undefined || !('source' in head)) return undefined;
      return replaceTrimmed(value.source, head.offset + head.source.length, MIGRATED_VERSION);
    }
    // The version itself stands elsewhere and may be needed there as it is.
    case 'alias':
      return { offset: value.offset, removed: value.source.length, inserted: QUOTED };
    default:
      return undefined;
  }
}

function isNull(source: string): boolean {
  return /^(?:~|null|Null|NULL)$/.test(source);
}

/** Replaces what stands between the outer blanks. */
function replaceTrimmed(source: string, offset: number, inserted: string): TextEdit {
  const trimmed = trimSpace(source);
  if (trimmed === '') return { offset, removed: source.length, inserted };
  return { offset: offset + source.indexOf(trimmed), removed: trimmed.length, inserted };
}

/**
 * Adds the version on a line of its own: before the first pair and behind a document start, at the very top when the
 * file has comments only.
 * @param first the first pair of the root, undefined when there is none
 * @returns undefined when there is no line for it: the root is written in braces, or shares its line
 */
export function addVersion(
  text: string,
  tokens: readonly CST.Token[],
  first: PairSource | undefined,
): TextEdit | undefined {
  const line = `skill_engine_version: ${QUOTED}`;
  if (first !== undefined) {
    const offset = lineStart(text, first.begin);
    const indent = text.slice(offset, first.begin);
    if (first.isFlow || !/^ *$/.test(indent)) return undefined;
    return { offset, removed: 0, inserted: indent + line + lineEndAt(text, offset) };
  }
  const document = tokens.find((token) => token.type === 'document');
  // Braces without a pair, or a null that is written out.
  if (document?.value !== undefined) return undefined;
  const mark = document?.start.find((token) => token.type === 'doc-start');
  if (mark === undefined) return { offset: 0, removed: 0, inserted: line + lineEndAt(text, 0) };
  const end = text.indexOf('\n', mark.offset);
  if (end < 0) return { offset: text.length, removed: 0, inserted: lineEndAt(text, text.length) + line };
  return { offset: end + 1, removed: 0, inserted: line + lineEndAt(text, end + 1) };
}
