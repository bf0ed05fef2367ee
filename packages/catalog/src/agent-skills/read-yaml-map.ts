import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
  type Scalar,
  visit,
  type YAMLMap,
} from 'yaml';
import type { Position } from '@skillyard/contracts';
import { LIMITS } from './limits.ts';
import type { SkillProblem, SkillProblemCode } from './skill-problem.ts';

/** The front matter as YAML, with the places of its nodes in the file. */
export interface YamlMap {
  readonly document: Document.Parsed;
  readonly map: YAMLMap<Node, Node | null>;
  placeOf(node: Node | null | undefined): Position;
}

/** The opening fence stands before the first line of the YAML. */
const LINES_BEFORE = 1;

/**
 * Reads front matter as a YAML mapping.
 * @returns the mapping, or why it is none
 */
export function readYamlMap(text: string): YamlMap | SkillProblem {
  if (text.length > LIMITS.frontMatterChars) {
    return error(
      'FRONT_MATTER_TOO_LARGE',
      `the front matter has ${text.length} characters; at most ${LIMITS.frontMatterChars} are read`,
      'move what is not a field of the skill below the closing ---',
    );
  }
  const lines = new LineCounter();
  const place = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1) + LINES_BEFORE, column: Math.max(col, 1) };
  };
  // Keys that stand twice are looked for below: the library compares each key with each other one. Its pretty errors
  // copy the text for each error, of which a hostile text has thousands.
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: false, prettyErrors: false });
  const broken = document.errors[0];
  if (broken !== undefined) return syntaxProblem(broken.message, broken.code, place(broken.pos[0]));
  if (!isMap(document.contents)) {
    const message = 'the front matter is no mapping';
    return error('FRONT_MATTER_YAML', message, 'write fields such as `name: ...` and `description: ...`');
  }
  const placeOf = (node: Node | null | undefined): Position => place(node?.range?.[0] ?? 0);
  const twice = findKeyTwice(document);
  if (twice !== undefined) {
    const message = `the key "${String(twice.value)}" stands twice`;
    return error('FRONT_MATTER_DUPLICATE_KEY', message, 'keep one of them', placeOf(twice));
  }
  return { document, map: document.contents, placeOf };
}

/** The entries of a mapping with a plain key. */
export function* entriesOf(
  map: YAMLMap<Node, Node | null>,
): Generator<{ readonly key: string; readonly keyNode: Scalar; readonly value: Node | null }> {
  for (const { key, value } of map.items) {
    if (isScalar(key)) yield { key: sourceText(key), keyNode: key, value };
  }
}

/** The node that an alias stands for; every other node, and an alias of nothing, is itself. */
export function resolved(node: Node | null, document: Document.Parsed): Node | null {
  return isAlias(node) ? (node.resolve(document) ?? node) : node;
}

/**
 * A scalar as it was written: `1.0` stays `1.0`. The line break that ends a block of text belongs to the way it is
 * written, not to the text.
 */
export function sourceText(scalar: Scalar): string {
  if (typeof scalar.value !== 'string') return scalar.source ?? String(scalar.value);
  const isBlock = scalar.type === 'BLOCK_FOLDED' || scalar.type === 'BLOCK_LITERAL';
  return isBlock ? scalar.value.replace(/\n$/, '') : scalar.value;
}

function findKeyTwice(document: Document.Parsed): Scalar | undefined {
  let found: Scalar | undefined;
  visit(document, {
    Map(_, map) {
      const seen = new Set<string>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        const text = sourceText(key);
        if (seen.has(text)) {
          found = key;
          return visit.BREAK;
        }
        seen.add(text);
      }
      return undefined;
    },
  });
  return found;
}

function syntaxProblem(message: string, code: string, position: Position): SkillProblem {
  if (code === 'RESOURCE_EXHAUSTION') {
    const deep = 'the front matter is nested too deeply to be read';
    return error('FRONT_MATTER_YAML', deep, 'write plain fields, one a line', position);
  }
  const [reason = ''] = message.split('\n', 1);
  const colon = code === 'BLOCK_AS_IMPLICIT_KEY' || reason.includes('compact mappings');
  const hint = colon
    ? 'put a text that holds ": " between quotes'
    : 'correct the YAML at this place; put a text with special characters between quotes';
  return error('FRONT_MATTER_YAML', `the front matter is not valid YAML: ${reason}`, hint, position);
}

function error(code: SkillProblemCode, message: string, hint: string, position?: Position): SkillProblem {
  return { code, severity: 'error', message, hint, ...(position && { position }) };
}
