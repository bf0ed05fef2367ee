import type { Entry, MapNode, Node } from '../node.ts';
import { MIGRATED_VERSION } from './version-edit.ts';

/**
 * Whether the migrated file says what the one before did, its `lang`s moved and its version raised, and nothing else.
 *
 * Anchors and merge keys let one place in a text decide about another, in more ways than a list of refusals would hold.
 * Reading the result again and comparing finds them all: a file is then left alone rather than changed in meaning.
 */
export function hasSameMeaning(before: MapNode, after: MapNode): boolean {
  const version = after.entries.get('skill_engine_version')?.value;
  if (version?.kind !== 'text' || version.text.trim() !== MIGRATED_VERSION) return false;
  return sameNode(without(before, 'skill_engine_version'), without(after, 'skill_engine_version'), PLAIN);
}

function without(map: MapNode, key: string): MapNode {
  const entries = new Map(map.entries);
  entries.delete(key);
  return { ...map, entries };
}

/** What a value is to the migration. The mapping under an asset named `assets` is both. */
interface Role {
  /** It holds assets. */
  readonly assets: boolean;
  /** It is an asset: its `lang` moves. */
  readonly asset: boolean;
}

const PLAIN: Role = { assets: false, asset: false };

function sameNode(before: Node, after: Node, role: Role): boolean {
  if (before.kind === 'text')
    return after.kind === 'text' && before.text === after.text && before.plain === after.plain;
  if (before.kind === 'list') {
    return (
      after.kind === 'list' &&
      before.items.length === after.items.length &&
      before.items.every((item, at) => sameNode(item, after.items[at] ?? item, PLAIN))
    );
  }
  return after.kind === 'map' && sameMap(before, after, role);
}

function sameMap(before: MapNode, after: MapNode, role: Role): boolean {
  if (before.entries.size !== after.entries.size) return false;
  for (const [key, { value }] of before.entries) {
    const moves = role.asset && key === 'lang';
    const other = moves ? movedLang(after.entries.get('params')) : after.entries.get(key)?.value;
    const inside: Role = { assets: key === 'assets', asset: role.assets };
    if (other === undefined || !sameNode(value, other, inside)) return false;
  }
  return true;
}

/** The `lang` of `params` that hold nothing else. */
function movedLang(params: Entry | undefined): Node | undefined {
  if (params?.value.kind !== 'map' || params.value.entries.size !== 1) return undefined;
  return params.value.entries.get('lang')?.value;
}
