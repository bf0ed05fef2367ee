import { quoted } from '@skillyard/engine';
import { assetUses } from '../asset-uses.ts';
import type { FlowCheck } from '../subject.ts';

/** W20: an asset that is declared and not used. */
export const checkW20: FlowCheck = ({ workflow, steps }, report) => {
  if (workflow.assets.size === 0) return;
  const used = new Set(assetUses(steps).map(({ name }) => name));
  for (const [name, { position }] of workflow.assets) {
    if (used.has(name)) continue;
    report.add({
      position,
      message: `The asset ${quoted(name)} is declared, and no instruction and no call uses it.`,
      hint: `Write {{asset:${name}}} in an instruction, {from: "asset:${name}"} in the arguments of a call, or remove it.`,
    });
  }
};
