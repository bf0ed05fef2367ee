/**
 * Recorded requests of programs that ask in the name of no run, as they are when the same is asked in the name of the run that the
 * program is started for.
 */
import type { ProgramSkill } from '@skillyard/contracts';
import { isRecord } from '../../is-record.ts';
import { isAdmissible } from './admission.ts';
import { isCall, type FileStep, type Scenario, skillFolderOf, type TranscriptStep } from './transcript.ts';
import type { LogLine } from './transcript-log.ts';
import { printed } from './yield-folder.ts';

/** Whose request it is. */
export interface Identity {
  readonly runId: string;
  readonly skill: ProgramSkill;
}

/** Whether a recorded output is a request. */
export function isRawRequest(raw: string): boolean {
  const output = printed(raw);
  return isAdmissible(output) && isRecord(output) && output['type'] === 'request';
}

/**
 * The steps of a scenario that are about such programs: how a run begins and takes its first answer. What is said behind that was
 * recorded of a program that asks the same again.
 */
export function ownPart({ name, steps }: Scenario): Scenario {
  const skills = new Set<string>();
  let isOwn = false;
  const answered = new Set<string>();
  const part = steps.filter((step): boolean => {
    if (isCall(step)) {
      const skill = skillFolderOf(step) ?? '';
      isOwn = skills.has(skill);
      const isAgain = step.argv[1] !== 'run' && answered.has(skill);
      if (step.argv[1] !== 'run') answered.add(skill);
      return isOwn && !isAgain;
    }
    const { raw_program_stdout: raw, skill } = step as FileStep;
    if (raw !== undefined && isRawRequest(raw)) skills.add(`skills/${skill}`);
    return raw !== undefined || isOwn;
  });
  return { name: `${name}/own`, steps: part };
}

/** A recorded envelope, indented, with an identity and a place. */
export function ownEnvelope(stdout: string, { runId, skill }: Identity, sequence: number): string {
  return stdout
    .replace(/"run_id": "[^"]*"/, () => `"run_id": ${JSON.stringify(runId)}`)
    .replace(/("name": )"[^"]*"/, (_, key: string) => `${key}${JSON.stringify(skill.name)}`)
    .replace(/("digest": )"[^"]*"/, (_, key: string) => `${key}"${skill.digest}"`)
    .replace(/"sequence": \d+/, `"sequence": ${sequence}`);
}

/** The lines of a recorded log, with an identity and in the places that they stand at. */
export function ownLog(lines: readonly LogLine[], { runId, skill }: Identity): readonly LogLine[] {
  let answered = 0;
  return lines.map(({ type, data }) => {
    if (type === 'operation.requested') {
      return { type, data: { ...data, run_id: runId, skill, sequence: `#${answered + 1}` } };
    }
    if (type !== 'operation.completed') return { type, data };
    answered += 1;
    return { type, data: { ...data, sequence: `#${answered}` } };
  });
}

/** What the program of a skill was recorded to print; null where its source was recorded, or nothing. */
export function rawOutputOf(steps: readonly TranscriptStep[], skill: string): string | null {
  const step = steps.find((one) => 'skill' in one && one.skill === skill);
  return step !== undefined && 'raw_program_stdout' in step ? (step.raw_program_stdout ?? null) : null;
}
