import { Composer, type CST, type ErrorCode, Lexer, Parser, type YAMLParseError } from 'yaml';
import { NodeBuilder } from './build-nodes.ts';
import { emptyMap, type MapNode } from './node.ts';
import { readQuickYaml } from './quick-yaml.ts';
import type { Report } from './report.ts';
import { isNullScalar } from './scalar.ts';
import { MAX_BYTES, MAX_DEPTH, MAX_TOKENS } from './yaml-limits.ts';

/** Everything YAML 1.2 calls printable; a text with any other character is not YAML (chapter 5.1). */
const UNPRINTABLE = /[^\t\n\r\u{20}-\u{7E}\u{85}\u{A0}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

/**
 * Scalars come out as their source text. Duplicate keys are ours to find: the library compares every key with every
 * other, which a large mapping turns into minutes.
 */
const OPTIONS = {
  schema: 'failsafe',
  resolveKnownTags: false,
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: 'silent',
} as const;

/**
 * Reads the one YAML document of a skill file, whose root is a mapping (spec sections 1 and 14).
 * A file of nothing but comments counts as an empty mapping.
 * @param text the file without a byte order mark
 * @param report receives what keeps the text from being read
 * @returns the root, or undefined when the report has something
 */
export function readYaml(text: string, report: Report): MapNode | undefined {
  if (!isReadable(text, report)) return undefined;
  return readQuickYaml(text) ?? readFullYaml(text, report);
}

/** The same for any printable text, without the short way. Exported for the test that holds the two together. */
export function readFullYaml(text: string, report: Report): MapNode | undefined {
  const tokens = tokensOf(text, report);
  return tokens && readTokens(tokens, text, report);
}

/** A text that was read, for those who edit it. */
export interface YamlSource {
  readonly root: MapNode;
  /** All of the text, piece by piece. */
  readonly tokens: readonly CST.Token[];
}

/** Reads like {@link readYaml}, and says where each piece of the text stands. */
export function readYamlSource(text: string, report: Report): YamlSource | undefined {
  const tokens = isReadable(text, report) ? tokensOf(text, report) : undefined;
  const root = tokens && readTokens(tokens, text, report);
  return root && { root, tokens: tokens.first };
}

function readTokens(tokens: Tokens, text: string, report: Report): MapNode | undefined {
  const [document] = new Composer(OPTIONS).compose(tokens.first, true, text.length);
  const error = document?.errors[0];
  if (error) {
    reportSyntax(error, report);
    return undefined;
  }
  if (tokens.secondDocument !== undefined) {
    report.add({
      code: 'SKILL_SEVERAL_DOCUMENTS',
      message: 'A second YAML document begins here, and a skill file is one document.',
      hint: 'Put each skill into a file of its own, and nothing after the closing `---` or `...`.',
      offset: tokens.secondDocument,
    });
    return undefined;
  }
  const root = new NodeBuilder(text, report).build(document?.contents, 0, 0);
  if (report.diagnostics.length > 0) return undefined;
  if (root.kind === 'map') return root;
  if (root.kind === 'text' && isNullScalar(root)) return emptyMap(root.offset);
  report.add({
    code: 'SKILL_ROOT',
    message: `A skill file is a mapping of keys to values, and this one is ${root.kind === 'list' ? 'a list' : 'a single text'}.`,
    hint: 'Begin with `skill_engine_version:`, `name:` and `description:`, each at the start of its own line.',
    offset: root.offset,
  });
  return undefined;
}

function isReadable(text: string, report: Report): boolean {
  if (utf8Length(text) > MAX_BYTES) {
    report.add({
      code: 'SKILL_TOO_LARGE',
      message: `The file is larger than ${MAX_BYTES / 1024} KiB.`,
      hint: 'Keep large texts outside and name them by the `ref` of an asset.',
      offset: 0,
    });
    return false;
  }
  const offset = text.search(UNPRINTABLE);
  if (offset < 0) return true;
  const code = (text.codePointAt(offset) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  report.add({
    code: 'SKILL_YAML',
    message: `The file holds the character U+${code}, which YAML does not allow.`,
    hint: 'Remove it, or write it as an escape (`\\x07`) inside double quotes.',
    offset,
  });
  return false;
}

interface Tokens {
  /** What belongs to the first document. */
  readonly first: CST.Token[];
  /** Where a second document begins. */
  readonly secondDocument: number | undefined;
}

/** Splits the text into the tokens of the first document, and stops as soon as they are too many or too deep. */
function tokensOf(text: string, report: Report): Tokens | undefined {
  const parser = new Parser();
  const first: CST.Token[] = [];
  let documents = 0;
  let lexemes = 0;
  const take = (tokens: Iterable<CST.Token>): number | undefined => {
    for (const token of tokens) {
      if (token.type === 'document' && ++documents === 2) return token.offset;
      first.push(token);
    }
    return undefined;
  };
  for (const lexeme of new Lexer().lex(text)) {
    const secondDocument = take(parser.next(lexeme));
    if (secondDocument !== undefined) return { first, secondDocument };
    lexemes += 1;
    if (lexemes <= MAX_TOKENS && parser.stack.length <= MAX_DEPTH) continue;
    report.add({
      code: 'SKILL_TOO_COMPLEX',
      message:
        lexemes > MAX_TOKENS
          ? `The file has more than ${MAX_TOKENS} YAML tokens.`
          : `The file is nested more than ${MAX_DEPTH} levels deep.`,
      hint: 'A skill is written by hand: split it, or look for what generated this.',
      offset: parser.offset,
    });
    return undefined;
  }
  return { first, secondDocument: take(parser.end()) };
}

const SYNTAX_HINTS: Partial<Record<ErrorCode, string>> = {
  TAB_AS_INDENT: 'Indent with spaces; YAML takes no tabs there.',
  BAD_INDENT: 'Begin all keys of one mapping, and all items of one list, in the same column.',
  BAD_DQ_ESCAPE: 'Write the backslash twice, or use single quotes.',
  BAD_SCALAR_START: 'Put quotes around a value that begins with this character.',
  BLOCK_AS_IMPLICIT_KEY: 'Put quotes around a value that holds a colon followed by a blank.',
  MISSING_CHAR: 'Look for a quote, a bracket or a brace that is not closed, or for a missing colon.',
  MULTILINE_IMPLICIT_KEY: 'Keep a key on one line and put a colon after it, or put quotes around the text.',
};

function reportSyntax(error: YAMLParseError, report: Report): void {
  report.add({
    code: 'SKILL_YAML',
    message: `The file is not valid YAML: ${error.message}.`,
    hint: SYNTAX_HINTS[error.code] ?? 'Check the indentation, the quotes and the brackets around this place.',
    offset: error.pos[0],
  });
}

/** Bytes of a text as UTF-8; counted only when the length alone cannot tell. */
function utf8Length(text: string): number {
  if (text.length > MAX_BYTES || text.length * 3 <= MAX_BYTES) return text.length;
  let bytes = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    // A surrogate pair is four bytes, two for each half.
    if (unit < 0x80) bytes += 1;
    else bytes += unit < 0x8_00 || (unit >= 0xd8_00 && unit < 0xe0_00) ? 2 : 3;
  }
  return bytes;
}
