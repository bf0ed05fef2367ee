import { quoted } from '@skillyard/engine';
import { type AssetUse, assetUses } from '../asset-uses.ts';
import { isGiven } from '../given.ts';
import { type FlowCheck, stepPosition } from '../subject.ts';

/** W4: a program shown to a model, or reference material that no model is shown; once for each asset. */
export const checkW4: FlowCheck = ({ workflow, steps, options }, report) => {
  if (workflow.assets.size === 0) return;
  const { codeKinds, referenceKinds } = options.assets ?? {};
  if (!isGiven(codeKinds) && !isGiven(referenceKinds)) {
    report.skip('assets.code_kinds');
    report.skip('assets.reference_kinds');
    return;
  }
  const uses = assetUses(steps);
  const inText = firstUses(uses, 'text');
  const inArgs = firstUses(uses, 'args');
  for (const [name, { kind }] of workflow.assets) {
    const shown = inText.get(name);
    const passed = inArgs.get(name);
    if (shown !== undefined && codeKinds?.includes(kind) === true) {
      report.add({
        position: stepPosition(shown.placed.step, shown.key),
        step: shown.placed.place,
        message: `${shown.placed.label} puts the text of the asset ${quoted(name)} into its \`${shown.key}\`, and the asset is ${kind}: a model that is shown it retypes it.`,
        hint: `Pass it in the arguments of a call: {from: "asset:${name}"}.`,
      });
    }
    if (shown === undefined && passed !== undefined && referenceKinds?.includes(kind) === true) {
      report.add({
        position: stepPosition(passed.placed.step, passed.key),
        step: passed.placed.place,
        message: `The asset ${quoted(name)} is ${kind}, for a model to read, and only goes into arguments.`,
        hint: `Write {{asset:${name}}} in the instruction that needs it, or give the asset another \`kind\`.`,
      });
    }
  }
};

function firstUses(uses: readonly AssetUse[], where: AssetUse['where']): ReadonlyMap<string, AssetUse> {
  const first = new Map<string, AssetUse>();
  for (const use of uses) if (use.where === where && !first.has(use.name)) first.set(use.name, use);
  return first;
}
