import { basename } from 'node:path';
import type { ProgramSkill } from '@skillyard/contracts';
import { skillDigest } from '@skillyard/program/supervisor';
import type { CaseResult } from '../run-case.ts';
import { lookAtFiles } from './look-at-files.ts';
import { ownLog, rawOutputOf } from './own-identity.ts';
import { runNamed } from './name-runs.ts';
import { replayCall } from './replay-call.ts';
import { isCall, isLog, type LogStep, RUN_NAME, type Scenario } from './transcript.ts';
import { numbered, readOwnLog, readRecordedLog } from './transcript-log.ts';
import type { ScenarioState, TranscriptPlay } from './transcript-play.ts';
import { logLines } from './transcript-run.ts';
import { type Entry, judge, notRun } from './yield-folder.ts';

/** Repeats a scenario: a result for each of its calls, and for each look at what they left. */
export async function replayScenario(scenario: Scenario, play: TranscriptPlay): Promise<CaseResult[]> {
  const results: CaseResult[] = [];
  const state: ScenarioState = { steps: scenario.steps, skill: '' };
  for (const [index, step] of scenario.steps.entries()) {
    const title = isCall(step) ? step.argv.join(' ') : Object.keys(step).join(' ');
    const entry = { name: play.name, entry: `${scenario.name}/${index}`, title };
    try {
      if (isCall(step)) results.push(await replayCall(entry, step, play, state));
      else if (isLog(step)) results.push(await compareLog(entry, step, play, state));
      else results.push(...(await lookAtFiles(entry, step, play, state)));
    } catch (error) {
      results.push(notRun(entry, error instanceof Error ? (error.stack ?? error.message) : String(error)));
    }
  }
  return results;
}

async function compareLog(
  entry: Entry,
  { run_log: recorded }: LogStep,
  play: TranscriptPlay,
  { steps, skill }: ScenarioState,
): Promise<CaseResult> {
  const name = recorded[0]?.match(RUN_NAME)?.[0] ?? '';
  const run = await runNamed(name, skill, play);
  if (run === null) return notRun(entry, `there is no run that could be ${name}`);
  const reasons = new Set<string>();
  let expected = readRecordedLog(recorded, reasons);
  const edits = play.memories.get(run)?.edits ?? [];
  for (const edit of edits) expected = edit(expected);
  const raw = rawOutputOf(steps, basename(skill));
  if (play.rawOutput === 'as its own' && raw !== null) {
    expected = ownLog(expected, raw, { runId: name, skill: await ownSkill(skill) });
  }
  const lines = (await logLines(skill, run)).map((text, index) => {
    // The digests of a line are named by where they stand in the one that it is compared with.
    return { text, named: play.names.nameAll(text, JSON.stringify(expected[index]) ?? '') };
  });
  const result = judge(entry, numbered(expected), readOwnLog(lines, expected, reasons));
  const why = [...reasons, ...(edits.length > 0 ? ['its calls were corrected'] : [])];
  return why.length === 0 || result.differences.length > 0
    ? result
    : { ...result, correction: why.join('; ') };
}

async function ownSkill(skill: string): Promise<ProgramSkill> {
  return { name: basename(skill), digest: await skillDigest(skill) };
}
