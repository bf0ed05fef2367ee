import { isBlank } from '../flow/white-space.ts';
import { offsetOf } from './messages.ts';
import { quoted } from './quoted.ts';
import type { Report } from './report.ts';
import type { RawAsset } from './shapes.ts';

const ON_UNAVAILABLE = new Set(['', 'fail', 'stale', 'empty']);

/** Checks the declared assets (spec section 14): each has exactly one source, and a known policy when it has one. */
export function checkAssets(assets: ReadonlyMap<string, RawAsset>, report: Report): void {
  for (const [name, asset] of assets) {
    const hasContent = !isBlank(asset.content);
    const hasRef = !isBlank(asset.ref);
    if (!hasContent && !hasRef) {
      report.add({
        code: 'ASSET_WITHOUT_SOURCE',
        message: `Asset ${quoted(name)} has neither \`content\` nor \`ref\`.`,
        hint: 'Write the text under `content: |`, or where it lies as `ref:`.',
        offset: asset.node.offset,
      });
    }
    if (hasContent && hasRef) {
      report.add({
        code: 'ASSET_SOURCE_TWICE',
        message: `Asset ${quoted(name)} has both \`content\` and \`ref\`.`,
        hint: 'Keep one of the two: the text itself, or where it lies.',
        offset: offsetOf(asset, 'ref'),
      });
    }
    const policy = asset.fetch?.on_unavailable ?? '';
    if (asset.fetch && !ON_UNAVAILABLE.has(policy)) {
      report.add({
        code: 'ASSET_FETCH_INVALID',
        message: `Asset ${quoted(name)}: \`fetch.on_unavailable\` is ${quoted(policy)}, which does not exist.`,
        hint: 'Write fail, stale (the copy of before) or empty (no text).',
        offset: offsetOf(asset.fetch, 'on_unavailable'),
      });
    }
  }
}
