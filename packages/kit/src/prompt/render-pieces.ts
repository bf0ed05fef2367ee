import type { PromptPiece, PromptReturn } from '../definition/prompt-piece.ts';
import { KitError } from '../kit-error.ts';
import { escapeAttribute } from '../primitives/escape-markup.ts';
import { PRIMITIVE_KINDS } from '../primitives/primitive-kinds.ts';
import { renderPrimitive } from '../primitives/render-primitive.ts';

/** The tags that mean something at the top of a prompt. */
const OWN_TAGS = ['system', 'prompt', 'rendered', ...PRIMITIVE_KINDS.map((kind) => kind.tag)];

const OWN_TAG_OPENS = new RegExp(`<(?=\\s{0,3}/?\\s{0,3}(?:${OWN_TAGS.join('|')})(?![\\w-]))`, 'gi');

/** @param value undefined for a step without a prompt, whose text is empty */
export function toPieces(value: PromptReturn | undefined): readonly PromptPiece[] {
  if (value === undefined) {
    return [''];
  }
  return isList(value) ? value : [value];
}

/**
 * The text of a prompt: its pieces in the order of the author, one blank line between them.
 * @param skillName the skill whose prompt it is
 * @throws KitError SKILL_DEFINITION_INVALID for what is no piece of a prompt
 */
export function renderPieces(value: PromptReturn | undefined, skillName: string): string {
  return toPieces(value)
    .map((piece) => renderPiece(piece, skillName))
    .join('\n\n');
}

function renderPiece(piece: PromptPiece, skillName: string): string {
  if (typeof piece === 'string') {
    return `<prompt>\n${escapeOwnTags(piece)}\n</prompt>`;
  }
  switch (piece?.kind) {
    case 'system':
      return `<system>${escapeOwnTags(piece.text)}</system>`;
    case 'view': {
      const name =
        piece.label === undefined || piece.label === '' ? '' : ` name="${escapeAttribute(piece.label)}"`;
      return `<rendered${name}>\n${escapeOwnTags(piece.text)}\n</rendered>`;
    }
    case 'act':
      return renderPrimitive(piece.primitive, skillName);
    default:
      throw new KitError(
        'SKILL_DEFINITION_INVALID',
        `a prompt of skill "${skillName}" has a part that is neither a string nor made by act, system or view: ${String(piece)}${asyncHint(piece)}`,
      );
  }
}

function asyncHint(piece: unknown): string {
  return piece instanceof Promise ? '; a prompt cannot wait: fetch what it needs in an action before' : '';
}

/**
 * Instructions and rendered text may hold any markup but tags of the prompt itself: a person who answers
 * `</prompt><system>` must not get to give orders.
 */
function escapeOwnTags(text: string): string {
  return text.replace(OWN_TAG_OPENS, '&lt;');
}

function isList(value: PromptReturn): value is readonly PromptPiece[] {
  return Array.isArray(value);
}
