import type { SkillDefinition, StepRecord, StoreAccessor } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';
import { Effects } from '../workflow/effects.ts';
import { PlainRun } from '../workflow/plain-run.ts';
import { driveRun } from './drive-run.ts';
import { runOptionsOf, type TestRunOptions } from './test-run-options.ts';

export interface SkillTestResult {
  /** Every step in the order in which it was recorded, prompt-less ones too. */
  readonly path: readonly string[];
  /** The last answer that each step was given, as the model gave it. */
  readonly outputs: Readonly<Record<string, unknown>>;
  /** The final output. */
  readonly response: unknown;
  readonly history: readonly StepRecord[];
  readonly store: StoreAccessor;
}

/**
 * Runs one skill by itself against a model, actions and observers included.
 * @throws KitError PROTOCOL if an answer is rejected or the skill leaves for a sub-skill or a topic; and what `openRun` and a
 * run throw
 */
export async function runSkill(
  definition: SkillDefinition,
  options: TestRunOptions,
): Promise<SkillTestResult> {
  const run = new PlainRun(definition, runOptionsOf(options), new Effects());
  const { path, outputs, end } = await driveRun(run, options.model, options.retries ?? 0);
  if (end.kind === 'redirect') {
    throw new KitError(
      'PROTOCOL',
      `Unexpected redirect to "${end.redirect}"; run a skill that leaves for others with runComposite`,
    );
  }
  return { path, outputs, response: end.finalOutput, history: run.history, store: run.store };
}
