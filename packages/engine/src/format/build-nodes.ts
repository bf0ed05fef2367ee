import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { emptyMap, type Entry, type ListNode, type MapNode, type Node, type TextNode } from './node.ts';
import { quoted } from './quoted.ts';
import type { Report } from './report.ts';
import { MAX_DEPTH, MAX_EXPANDED } from './yaml-limits.ts';
import { textOf } from './scalar.ts';

const CORE_TAGS = new Set(['null', 'bool', 'int', 'float'].map((name) => `tag:yaml.org,2002:${name}`));

/** What stands behind `&name`: nothing until its node is complete. */
interface Anchor {
  node: Node | null;
  weight: number;
  height: number;
}

/**
 * Turns the document of the YAML library into our nodes: aliases and merge keys resolved, duplicate keys refused.
 *
 * An aliased node is shared, never copied, so a file that unfolds to gigabytes costs nothing here. Everybody after us
 * walks the unfolded tree though; therefore its size and its depth are counted along the way and bounded.
 */
export class NodeBuilder {
  readonly #report: Report;
  /** Where a text without a line break at its end ends; -1 for a text with one. */
  readonly #openEnd: number;
  readonly #anchors = new Map<string, Anchor>();
  /** Size of the unfolded tree so far: 8 for each node, 1 for each character of text. */
  #weight = 0;
  /** The deepest level met so far. */
  #deepest = 0;
  #exhausted = false;

  /** @param text what the nodes come from */
  constructor(text: string, report: Report) {
    this.#report = report;
    this.#openEnd = text.endsWith('\n') ? -1 : text.length;
  }

  /** Converts a node and all below it. Problems go to the report; what they concern is left out. */
  build(source: unknown, offset: number, depth: number): Node {
    this.#count(8, depth, offset);
    if (this.#exhausted) return emptyMap(offset);
    if (isAlias(source)) return this.#alias(source, startOf(source, offset), depth);
    const name = isScalar(source) || isMap(source) || isSeq(source) ? source.anchor : undefined;
    if (name === undefined) return this.#collectionOrText(source, offset, depth);

    const anchor: Anchor = { node: null, weight: this.#weight, height: 0 };
    this.#anchors.set(name, anchor);
    const deepestOutside = this.#deepest;
    this.#deepest = depth;
    anchor.node = this.#collectionOrText(source, offset, depth);
    anchor.weight = this.#weight - anchor.weight;
    anchor.height = this.#deepest - depth;
    this.#deepest = Math.max(this.#deepest, deepestOutside);
    return anchor.node;
  }

  #collectionOrText(source: unknown, offset: number, depth: number): Node {
    if (isMap(source)) return this.#map(source, offset, depth);
    if (isSeq(source)) return this.#list(source, offset, depth);
    return this.#text(isScalar(source) ? source : undefined, offset);
  }

  #text(scalar: Scalar | undefined, offset: number): TextNode {
    const text = this.#sourceOf(scalar);
    this.#weight += text.length;
    const plain =
      scalar?.tag === undefined ? (scalar?.type ?? 'PLAIN') === 'PLAIN' : CORE_TAGS.has(scalar.tag);
    // A value that is not written at all stands where its key does.
    const isWritten = scalar?.range != null && scalar.range[1] > scalar.range[0];
    return { kind: 'text', text, plain, offset: isWritten ? startOf(scalar, offset) : offset };
  }

  /** The library ends a block text with a line break that the file may not have (YAML 1.2, 8.1.1.2: end of input). */
  #sourceOf(scalar: Scalar | undefined): string {
    const source = scalar?.source ?? '';
    const isBlock = scalar?.type === 'BLOCK_LITERAL' || scalar?.type === 'BLOCK_FOLDED';
    const isOpen = isBlock && scalar.range?.[1] === this.#openEnd && source.endsWith('\n');
    return isOpen ? source.slice(0, -1) : source;
  }

  #list(list: YAMLSeq, offset: number, depth: number): ListNode {
    const start = startOf(list, offset);
    return {
      kind: 'list',
      items: list.items.map((item) => this.build(item, startOf(item, start), depth + 1)),
      offset: start,
    };
  }

  #map(map: YAMLMap, offset: number, depth: number): MapNode {
    const start = startOf(map, offset);
    const own = new Map<string, Entry>();
    const merges = new Map<string, readonly MapNode[]>();
    for (const pair of map.items) {
      const keyOffset = startOf(pair.key, start);
      const key = this.#key(pair, keyOffset, depth);
      if (key === undefined) continue;
      if (own.has(key)) this.#duplicate(key, keyOffset);
      else {
        const value = this.build(pair.value, keyOffset, depth + 1);
        own.set(key, { keyOffset, value });
        if (isMergeKey(pair.key)) merges.set(key, this.#mergeSources(value));
      }
    }
    return { kind: 'map', entries: merges.size === 0 ? own : merged(own, merges), offset: start };
  }

  #key(pair: Pair, offset: number, depth: number): string | undefined {
    const node = this.build(pair.key, offset, depth + 1);
    if (node.kind === 'text') return textOf(node);
    if (!this.#exhausted) {
      this.#report.add({
        code: 'SKILL_YAML',
        message: `A key must be text, and this one is a ${node.kind === 'list' ? 'list' : 'mapping'}.`,
        hint: 'A value that begins with a brace or a bracket is a mapping or a list to YAML. Put quotes around it: "{{name}}".',
        offset,
      });
    }
    return undefined;
  }

  #duplicate(key: string, offset: number): void {
    this.#report.add({
      code: 'SKILL_DUPLICATE_KEY',
      message: `The key ${quoted(key)} stands twice in one mapping.`,
      hint: 'Keep one of the two.',
      offset,
    });
  }

  /** The mappings that `<<` names, the strongest first. */
  #mergeSources(value: Node): readonly MapNode[] {
    const sources = value.kind === 'list' ? value.items : [value];
    const maps = sources.filter((source) => source.kind === 'map');
    if (maps.length < sources.length && !this.#exhausted) {
      this.#report.add({
        code: 'SKILL_YAML',
        message: 'The merge key `<<` takes a mapping or a list of mappings, and this is neither.',
        hint: 'Name the anchor of a mapping (`<<: *shared`), or put the key in quotes if you mean the text.',
        offset: value.offset,
      });
    }
    return maps;
  }

  #alias(alias: Alias, offset: number, depth: number): Node {
    const anchor = this.#anchors.get(alias.source);
    if (anchor?.node) {
      this.#count(anchor.weight, depth + anchor.height, offset);
      return anchor.node;
    }
    this.#report.add({
      code: 'SKILL_ALIAS',
      message: anchor
        ? `The alias *${alias.source} stands inside the value that it names, so the value would contain itself.`
        : `The alias *${alias.source} names no anchor above it.`,
      hint: anchor
        ? 'Write the inner value out.'
        : `Put &${alias.source} before the value it should repeat, or quote the text if the asterisk belongs to it.`,
      offset,
    });
    return emptyMap(offset);
  }

  #count(weight: number, depth: number, offset: number): void {
    if (this.#exhausted) return;
    this.#weight += weight;
    this.#deepest = Math.max(this.#deepest, depth);
    if (this.#weight <= MAX_EXPANDED && this.#deepest <= MAX_DEPTH) return;
    this.#exhausted = true;
    this.#report.add({
      code: 'SKILL_TOO_COMPLEX',
      message:
        this.#weight > MAX_EXPANDED
          ? `With its aliases written out the file is larger than ${MAX_EXPANDED / 1_048_576} MiB.`
          : `The file is nested more than ${MAX_DEPTH} levels deep.`,
      hint: 'Repeat less by aliases and nest less.',
      offset,
    });
  }
}

/** `<<` without quotes. */
function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.type === 'PLAIN' && key.source === '<<' && key.tag === undefined;
}

/** The keys of a mapping together with those it takes over: its own win, then the source named first. */
function merged(
  own: ReadonlyMap<string, Entry>,
  merges: ReadonlyMap<string, readonly MapNode[]>,
): ReadonlyMap<string, Entry> {
  const result = new Map<string, Entry>();
  for (const [key, entry] of own) {
    const sources = merges.get(key);
    if (sources === undefined) result.set(key, entry);
    for (const source of sources ?? []) {
      for (const [inherited, value] of source.entries) {
        if (!own.has(inherited) && !result.has(inherited)) result.set(inherited, value);
      }
    }
  }
  return result;
}

function startOf(node: unknown, otherwise: number): number {
  const range = isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? node.range : undefined;
  return range?.[0] ?? otherwise;
}
