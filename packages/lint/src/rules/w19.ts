import { quoted } from '@skillyard/engine';
import { assetUses } from '../asset-uses.ts';
import { listed } from '../listed.ts';
import { type FlowCheck, stepPosition } from '../subject.ts';

/** W19: an asset that is used and not declared, once for each. */
export const checkW19: FlowCheck = ({ workflow, steps }, report) => {
  const known = new Set(workflow.assets.keys());
  for (const { name, placed, key } of assetUses(steps)) {
    if (known.has(name)) continue;
    known.add(name);
    const declared = listed(workflow.assets.keys());
    report.add({
      position: stepPosition(placed.step, key),
      step: placed.place,
      message: `${placed.label} uses the asset ${quoted(name)}, which is not declared.`,
      hint:
        declared === '' ? 'Declare it under `workflow.assets`.' : `Declare it, or use one of: ${declared}.`,
    });
  }
};
