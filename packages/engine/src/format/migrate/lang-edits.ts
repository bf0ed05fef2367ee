import type { Entry, MapNode, Node } from '../node.ts';
import { quoted } from '../quoted.ts';
import type { Report } from '../report.ts';
import type { PairSource } from './pair-source.ts';
import { lineEndAt, lineStart, type TextEdit } from './text-edit.ts';

/** A `lang` that goes under `params`. */
export interface LangMove {
  readonly asset: string;
  /** Where its key begins. */
  readonly offset: number;
  readonly edits: readonly TextEdit[];
}

interface Source {
  readonly text: string;
  readonly pairs: ReadonlyMap<number, PairSource>;
  readonly report: Report;
}

/**
 * Finds the `lang` of every asset, in each mapping under a key `assets` wherever that stands (spec section 16), and how
 * to move it. What cannot be moved by itself goes to the report.
 */
export function moveLangs(root: MapNode, source: Source): LangMove[] {
  const moves: LangMove[] = [];
  for (const assets of assetMappings(root)) {
    if (assets.value.kind !== 'map') continue;
    for (const [name, asset] of assets.value.entries) {
      const lang = asset.value.kind === 'map' ? asset.value.entries.get('lang') : undefined;
      if (asset.value.kind !== 'map' || lang === undefined) continue;
      const edits = moveLang({ assets, name, asset, lang }, asset.value.entries.has('params'), source);
      if (edits) moves.push({ asset: name, offset: lang.keyOffset, edits });
    }
  }
  return moves;
}

/** What stands under keys `assets`. A mapping that aliases repeat is looked at once. */
function assetMappings(root: MapNode): readonly Entry[] {
  const found: Entry[] = [];
  const seen = new Set<Node>();
  const visit = (node: Node): void => {
    if (node.kind === 'text' || seen.has(node)) return;
    seen.add(node);
    if (node.kind === 'list') {
      for (const item of node.items) visit(item);
      return;
    }
    for (const [key, entry] of node.entries) {
      if (key === 'assets') found.push(entry);
      visit(entry.value);
    }
  };
  visit(root);
  return found;
}

interface Found {
  readonly assets: Entry;
  readonly name: string;
  readonly asset: Entry;
  readonly lang: Entry;
}

function moveLang(found: Found, hasParams: boolean, source: Source): TextEdit[] | undefined {
  const { assets, name, asset, lang } = found;
  const pair = source.pairs.get(lang.keyOffset);
  const isOwn =
    pair?.parent === asset.keyOffset && source.pairs.get(asset.keyOffset)?.parent === assets.keyOffset;
  if (!isOwn) {
    const message = `The asset ${quoted(name)} takes its \`lang\` over through a merge key or an alias.`;
    const hint = 'Write `params: {lang: ...}` into the asset, and remove `lang` where it comes from.';
    source.report.add({ code: 'MIGRATION_REFUSED', message, hint, offset: asset.keyOffset });
    return undefined;
  }
  const refuse = (reason: string, hint: string): undefined => {
    const message = `The asset ${quoted(name)} ${reason}`;
    source.report.add({ code: 'MIGRATION_REFUSED', message, hint, offset: lang.keyOffset });
  };
  if (hasParams)
    return refuse('has both `lang` and `params`.', 'Move `lang` into `params` and decide which one holds.');
  const { text } = source;
  const { begin, end } = pair;
  if (end === undefined || text.slice(begin, end).includes('\n'))
    return refuse(
      'has a `lang` that is not on one line.',
      'Write key and value on one line: `lang: python`.',
    );
  if (pair.isFlow) {
    return [
      { offset: begin, removed: 0, inserted: 'params: {' },
      { offset: end, removed: 0, inserted: '}' },
    ];
  }
  const offset = lineStart(text, begin);
  const indent = text.slice(offset, begin);
  if (!/^ *$/.test(indent))
    return refuse('has a `lang` that shares its line.', 'Write `lang: ...` on a line of its own.');
  return [{ offset, removed: 0, inserted: `${indent}params:${lineEndAt(text, offset)}  ` }];
}
