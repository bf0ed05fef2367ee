import { argumentAssetRefs, assetRefs, stringsIn } from '@skillyard/engine';
import type { PlacedStep } from './subject.ts';

/** A place where a step names an asset. */
export interface AssetUse {
  readonly name: string;
  /** `text`: a model is shown it. `args`: it goes past any model. */
  readonly where: 'text' | 'args';
  readonly placed: PlacedStep;
  /** The key of the step. */
  readonly key: string;
}

/** The uses of assets in instructions, the tools of calls and their arguments, in document order (spec section 15). */
export function assetUses(steps: readonly PlacedStep[]): readonly AssetUse[] {
  return steps.flatMap((placed): AssetUse[] => {
    const { step } = placed;
    if (step.kind === 'instruction') {
      return assetRefs(step.instruction).map((name) => ({ name, where: 'text', placed, key: 'instruction' }));
    }
    if (step.kind !== 'call') return [];
    const inTool = assetRefs(step.server === '' ? step.tool : `${step.server}:${step.tool}`);
    const inArgs = [
      ...argumentAssetRefs(step.args),
      ...stringsIn(step.args).flatMap((text) => assetRefs(text)),
    ];
    return [
      ...inTool.map((name): AssetUse => ({ name, where: 'text', placed, key: 'call.tool' })),
      ...inArgs.map((name): AssetUse => ({ name, where: 'args', placed, key: 'call.args' })),
    ];
  });
}
