import { checkAssets } from './check-assets.ts';
import { checkLimits } from './check-limits.ts';
import { checkProfiles } from './check-profiles.ts';
import { checkSteps } from './check-steps.ts';
import { refuseContradictions } from './fold-keys.ts';
import { foldSteps } from './fold.ts';
import type { Report } from './report.ts';
import type { RawProfile, RawStep, RawWorkflow } from './shapes.ts';

/**
 * Checks a workflow and folds its steps, in the order of spec section 14: keys given twice, assets, profiles, folding,
 * steps.
 * @returns the steps as they will run, which mean something only while the report is empty
 */
export function checkWorkflow(workflow: RawWorkflow, report: Report): readonly RawStep[] {
  const steps = workflow.steps ?? [];
  const profiles = workflow.profiles ?? new Map<string, RawProfile>();
  refuseContradictions(steps, report);
  checkAssets(workflow.assets ?? new Map(), report);
  checkProfiles(profiles, report);
  checkLimits(workflow.limits, 'workflow.limits', report);
  const folded = foldSteps(steps, profiles, report);
  checkSteps(folded, report);
  return folded;
}
