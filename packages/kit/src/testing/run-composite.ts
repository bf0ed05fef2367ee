import type { SkillDefinition, StepRecord } from '../definition/skill-definition.ts';
import { CompositeRun } from '../workflow/composite-run.ts';
import type { Departure } from '../workflow/target.ts';
import { driveRun } from './drive-run.ts';
import { runOptionsOf, type TestRunOptions } from './test-run-options.ts';

export interface CompositeTestOptions extends TestRunOptions {
  /** Runs this sub-skill without the dispatcher; `params` are its own. */
  readonly directSubskill?: string;
}

export interface CompositeTestResult {
  /** Every step in the order in which it was recorded; those of a sub-skill as `<sub-skill>/<step>`. */
  readonly path: readonly string[];
  /** The last answer that each step was given, as the model gave it. */
  readonly outputs: Readonly<Record<string, unknown>>;
  /** The final output of the sub-skill, the topic with its content, or the final output of the dispatcher. */
  readonly output: unknown;
  readonly history: readonly StepRecord[];
  /** Absent when the dispatcher ended by itself. */
  readonly redirectedTo?: Departure;
}

/**
 * Runs a skill with its sub-skills and topics against a model.
 * @throws KitError PROTOCOL if an answer is rejected; and what `openRun`, `openSubskill` and a run throw
 */
export async function runComposite(
  definition: SkillDefinition,
  options: CompositeTestOptions,
): Promise<CompositeTestResult> {
  const run = new CompositeRun(definition, runOptionsOf(options), options.directSubskill ?? null);
  const { path, outputs, end } = await driveRun(run, options.model, options.retries ?? 0);
  const { leftFor } = run;
  return {
    path,
    outputs,
    output: end.kind === 'done' ? end.finalOutput : null,
    history: run.history,
    ...(leftFor !== null && { redirectedTo: leftFor }),
  };
}
