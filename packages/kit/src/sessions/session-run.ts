import type { References, SkillDefinition } from '../definition/skill-definition.ts';
import type { PromptResult, WorkflowResult } from '../workflow/result.ts';
import { openRun, openSubskill, type Accepted, type Run } from '../workflow/run.ts';
import type { ResultLine, SessionHeader } from './session-line.ts';
import { isPromptless } from './step-lookup.ts';

/** A run whose passed steps are kept, for the lines of the session. */
export interface SessionRun {
  readonly definition: SkillDefinition;
  readonly run: Run;
  /** The prompt-less steps passed since the run was opened. */
  readonly passed: PromptResult[];
}

/**
 * @param subskill the sub-skill that the session was begun in, past the dispatcher
 * @throws KitError as `openRun` and `openSubskill`
 */
export function openSessionRun(
  definition: SkillDefinition,
  header: SessionHeader,
  subskill: string | null,
  options: { readonly references: References; readonly warn: (line: string) => void },
): SessionRun {
  const passed: PromptResult[] = [];
  const runOptions = {
    params: header.params,
    handshake: {
      host: header.host,
      toolsAvailable: header.tools ?? [],
      isSubagent: header.isSubagent ?? false,
    },
    references: options.references,
    warn: options.warn,
    onPassed: (result: PromptResult) => void passed.push(result),
    // Actions of prompt-less steps are performed here, where they are written down.
    stopAtActions: true,
  };
  const run =
    subskill === null ? openRun(definition, runOptions) : openSubskill(definition, subskill, runOptions);
  return { definition, run, passed };
}

/**
 * Goes on past prompt-less steps with actions, at which the run stops.
 * @param first what the run came to
 * @returns as if the run had not stopped
 */
export async function passActions(
  { definition, run, passed }: SessionRun,
  first: WorkflowResult,
  perform: (accepted: Accepted) => Promise<unknown>,
): Promise<WorkflowResult> {
  let whole = first;
  while (whole.kind === 'prompt' && isPromptless(definition, whole.step)) {
    passed.push(whole);
    const accepted = run.accept(whole.step, {});
    if ('kind' in accepted) return accepted;
    const next = await run.complete(accepted, await perform(accepted));
    if (next.kind === 'error') return next;
    whole = join(whole, next);
  }
  return whole;
}

/** Two results as that of one call. */
function join(before: PromptResult, after: Exclude<WorkflowResult, { kind: 'error' }>): WorkflowResult {
  const { completed: gate, autoAdvanced = [], ...rest } = after;
  const passed = [...(before.autoAdvanced ?? []), ...(gate === undefined ? [] : [gate]), ...autoAdvanced];
  const records = {
    ...(before.completed === undefined ? {} : { completed: before.completed }),
    autoAdvanced: passed,
  };
  if (rest.kind !== 'prompt') return { ...rest, ...records };
  const { kind, step, preamble = before.preamble, prompt, schema } = rest;
  return { kind, step, ...(preamble === undefined ? {} : { preamble }), prompt, schema, ...records };
}

/**
 * The lines of a result: one for every prompt-less step passed on the way to it, then its own. `completed` of a line is the
 * record that was made last before it, so that every record stands in `completed` of one line.
 */
export function linesOf(passed: readonly PromptResult[], result: WorkflowResult): ResultLine[] {
  if (result.kind === 'error') return [{ type: 'error', ...result }];
  const { completed, autoAdvanced, ...rest } = result;
  const records = [...(completed === undefined ? [] : [completed]), ...(autoAdvanced ?? [])];
  // At a start the first line has no record before it.
  const withoutRecord = passed.length + 1 - records.length;
  const recordOf = (line: number) => {
    const record = records[line - withoutRecord];
    return record === undefined ? {} : { completed: record };
  };
  const gates = passed.map(({ autoAdvanced: _, completed: __, ...gate }, line): ResultLine => {
    return { type: 'prompt', ...gate, ...recordOf(line) };
  });
  const own = { type: rest.kind, ...rest, ...recordOf(passed.length) };
  return [...gates, autoAdvanced === undefined ? own : { ...own, autoAdvanced }];
}
