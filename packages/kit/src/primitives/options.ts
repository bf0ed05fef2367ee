import type { Option, SurveyQuestion } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';
import { escapeAttribute, escapeText } from './escape-markup.ts';

const MAX_HEADER_CHARACTERS = 12;
const MIN_OPTIONS = 2;
const MAX_OPTIONS = 4;

/**
 * The bounds are those of the narrowest tool that shows a question.
 * @param where the call that the author has to change, such as `act.survey`
 * @throws KitError SKILL_DEFINITION_INVALID
 */
export function checkQuestion(question: SurveyQuestion, where: string): void {
  const { header, options } = question;
  if (header !== undefined && header.length > MAX_HEADER_CHARACTERS) {
    throw new KitError(
      'SKILL_DEFINITION_INVALID',
      `${where}: a header has at most ${MAX_HEADER_CHARACTERS} characters; "${header}" has ${header.length}. Shorten it`,
    );
  }
  if (options.length < MIN_OPTIONS || options.length > MAX_OPTIONS) {
    throw new KitError(
      'SKILL_DEFINITION_INVALID',
      `${where}: a question has ${MIN_OPTIONS} to ${MAX_OPTIONS} options; got ${options.length}. ` +
        'Ask an open question or split it',
    );
  }
}

/** @param indent what every line begins with */
export function renderOptions(options: readonly Option[], indent: string): string {
  return options.map((option) => renderOption(option, indent)).join('\n');
}

function renderOption(option: Option, indent: string): string {
  const value = escapeAttribute(option.value);
  const label = escapeAttribute(option.label);
  const open = `${indent}<option value="${value}" label="${label}">${escapeText(option.description ?? '')}`;
  if (option.preview === undefined) {
    return `${open}</option>`;
  }
  return `${open}\n${indent}  <preview>${escapeText(option.preview)}</preview>\n${indent}</option>`;
}

/** Attributes that the tags of questions share, each with the space before it. */
export function headerAttribute(header: string | undefined): string {
  return header === undefined ? '' : ` header="${escapeAttribute(header)}"`;
}

export function multiSelectAttribute(multiSelect: boolean | undefined): string {
  return multiSelect === true ? ' multi-select="true"' : '';
}
