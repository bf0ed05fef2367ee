/**
 * The grammar of conditions (spec section 5). Refusals come first, then the forms in the order in which they win:
 * `is [not] empty`, `[not] contains`, the numeric comparisons, `==` and `!=`.
 *
 * There are no conjunctions and no functions on purpose: a condition is read aloud, and nesting says the rest.
 */
import { type SoughtWord, soughtWord } from './contains-word.ts';
import { excerpt } from './excerpt.ts';
import { type Numeral, parseNumeral } from './number.ts';
import { parseReference, type Reference, scanReference } from './reference.ts';
import { stripQuotes } from './strip-quotes.ts';
import { parseTemplate } from './template.ts';
import { grammarBlankEnd, isBlank, trimGrammarBlanks, trimSpace } from './white-space.ts';

export type Comparison = '>' | '>=' | '<' | '<=';

/** The right side of a numeric comparison. */
export type Operand = { readonly number: Numeral } | { readonly ref: Reference };

/** A parsed condition. `left` is always a reference; only a numeric comparison may have one on the right as well. */
export type Condition = { readonly source: string; readonly left: Reference } & (
  | { readonly form: 'empty'; readonly negated: boolean }
  | {
      readonly form: 'contains';
      readonly negated: boolean;
      /** The alternatives as they are declared, without quotes. */
      readonly words: readonly string[];
      readonly sought: readonly SoughtWord[];
    }
  | { readonly form: 'compare'; readonly operator: Comparison; readonly right: Operand }
  | { readonly form: 'equals'; readonly negated: boolean; readonly value: string }
);

/** A condition, or what is wrong with it and what to write instead. */
export type ParsedCondition =
  | { readonly ok: true; readonly condition: Condition }
  | { readonly ok: false; readonly message: string };

const CONJUNCTION = /[ \t\n\f\r](&&|\|\||and|or|AND|OR)[ \t\n\f\r]/;
const IS_EMPTY = /^is[ \t\n\f\r]+(not[ \t\n\f\r]+)?empty$/;
const CONTAINS = /^(not[ \t\n\f\r]+)?contains(?![A-Za-z0-9_])/;
const OPERATOR = /^(?:[<>]=?|[!=]=)/;
const QUOTES = '"\'';

const FORMS =
  'Write `name == value`, `name != value`, `name is empty`, `name is not empty`, `name contains a | b`, ' +
  '`name not contains a | b`, or compare numbers with >, >=, < and <=.';

/** Parses a condition once. Never throws: a refusal says what is wrong and what to write instead. */
export function parseCondition(text: string): ParsedCondition {
  const refusal = refuse(text);
  if (refusal !== undefined) return fail(text, refusal);
  const source = trimGrammarBlanks(text);
  const left = scanReference(source, 0);
  if (left === undefined) return fail(text, `it does not begin with the name of a variable. ${FORMS}`);
  const at = grammarBlankEnd(source, left.text.length);
  const rest = source.slice(at);
  const base = { source: text, left };
  if (at > left.text.length) {
    const empty = IS_EMPTY.exec(rest);
    if (empty) return { ok: true, condition: { ...base, form: 'empty', negated: empty[1] !== undefined } };
    const contains = CONTAINS.exec(rest);
    const list = rightSide(rest, contains?.[0]);
    if (contains && list !== undefined) return parseContains(base, contains[1] !== undefined, list);
  }
  const operator = OPERATOR.exec(rest)?.[0];
  const right = rightSide(rest, operator);
  if (operator === undefined || right === undefined) return fail(text, explain(rest));
  if (operator === '==' || operator === '!=') {
    const value = stripQuotes(right, QUOTES);
    return { ok: true, condition: { ...base, form: 'equals', negated: operator === '!=', value } };
  }
  return right === '' ? fail(text, explain(rest)) : parseCompare(base, operator as Comparison, right);
}

/** What stands behind an operator, which has to be on one line; the blanks before it may hold a line break. */
function rightSide(rest: string, operator: string | undefined): string | undefined {
  if (operator === undefined) return undefined;
  const right = rest.slice(grammarBlankEnd(rest, operator.length));
  return right.includes('\n') ? undefined : right;
}

type Base = Pick<Condition, 'source' | 'left'>;

function parseContains(base: Base, negated: boolean, list: string): ParsedCondition {
  const words = list
    .split('|')
    .map((word) => trimSpace(stripQuotes(trimSpace(word), QUOTES)))
    .filter((word) => !isBlank(word));
  if (words.length > 0) {
    return {
      ok: true,
      condition: { ...base, form: 'contains', negated, words, sought: words.map(soughtWord) },
    };
  }
  return fail(base.source, `contains has nothing to look for. Write \`${base.left.text} contains a | b\`.`);
}

function parseCompare(base: Base, operator: Comparison, text: string): ParsedCondition {
  const number = parseNumeral(trimSpace(text));
  const ref = number === undefined ? parseReference(text) : undefined;
  const right = number !== undefined ? { number } : ref && { ref };
  if (right !== undefined) return { ok: true, condition: { ...base, form: 'compare', operator, right } };
  const bare = withoutBraces(text);
  const instead =
    bare === text ? '' : ` A name stands without braces: \`${base.left.text} ${operator} ${bare}\`.`;
  return fail(
    base.source,
    `the right side of ${operator} has to be a number or the name of a variable that holds one, ` +
      `and ${excerpt(text)} is neither.${instead}`,
  );
}

/** What is refused before any form is tried. */
function refuse(text: string): string | undefined {
  if (text.includes('[*') || text.includes('[?')) {
    return 'it selects among the items of a list, and a condition looks at one value. Walk the list with for_each and test each item.';
  }
  if (text.startsWith('{{', grammarBlankEnd(text, 0))) {
    const bare = trimGrammarBlanks(withoutBraces(text));
    const inner = bare.startsWith('{{') ? undefined : parseCondition(bare);
    if (inner?.ok === true) return `a condition takes a name, without braces. Write \`${bare}\`.`;
    return `a condition takes a name, without braces; and without them: ${inner?.message ?? FORMS}`;
  }
  const conjunction = CONJUNCTION.exec(text)?.[1];
  if (conjunction === undefined) return undefined;
  return conjunction === '&&' || conjunction.toLowerCase() === 'and'
    ? `conditions are not joined with ${conjunction}. Put an if inside the other if.`
    : `conditions are not joined with ${conjunction}. Write \`name contains a | b\`, or one step for each condition.`;
}

/** Why none of the forms fits what follows the name. */
function explain(rest: string): string {
  if (rest.includes('\n')) return `what it looks for has to stand on one line. ${FORMS}`;
  if (/^=(?!=)/.test(rest)) return 'values are compared with two equals signs. Write `name == value`.';
  if (OPERATOR.test(rest)) return `there is nothing on its right side. ${FORMS}`;
  const isWorded = /^(is|not|contains)[ \t]/i.test(rest);
  return isWorded
    ? `its words are not the known ones, in lower case. ${FORMS}`
    : `it has no known form. ${FORMS}`;
}

function fail(source: string, why: string): ParsedCondition {
  return { ok: false, message: `The condition ${excerpt(source)} cannot be read: ${why}` };
}

/** The text as it would read if references were not in braces. */
function withoutBraces(text: string): string {
  const { parts } = parseTemplate(text);
  return parts
    .map((part) => (typeof part === 'string' ? part : 'ref' in part ? part.ref.text : part.asset))
    .join('');
}
