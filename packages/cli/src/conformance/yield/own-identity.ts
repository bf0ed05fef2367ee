/**
 * Recorded requests of programs that ask in the name of no run, as they are when the same is asked in the name of the run that the
 * program is started for.
 */
import { isDeepStrictEqual } from 'node:util';
import type { ProgramSkill } from '@skillyard/contracts';
import { isRecord } from '../../is-record.ts';
import { isAdmissible } from './admission.ts';
import { isCall, type FileStep, type Scenario, skillFolderOf, type TranscriptStep } from './transcript.ts';
import type { LogLine } from './transcript-log.ts';
import { printed, readExact } from './yield-folder.ts';

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

/** The envelope of a recorded request. */
export function envelopeIn(raw: string): unknown {
  const output = readExact(raw);
  return isRecord(output) ? output['envelope'] : undefined;
}

/** A recorded envelope as a call tells it, with an identity and a place; another text stays as it is. */
export function ownEnvelope(stdout: string, raw: string, own: Identity, sequence: number): string {
  if (!isDeepStrictEqual(readExact(stdout), envelopeIn(raw))) return stdout;
  return stdout
    .replace(/"run_id": "[^"]*"/, () => `"run_id": ${JSON.stringify(own.runId)}`)
    .replace(/("name": )"[^"]*"/, (_, key: string) => `${key}${JSON.stringify(own.skill.name)}`)
    .replace(/("digest": )"[^"]*"/, (_, key: string) => `${key}"${own.skill.digest}"`)
    .replace(/"sequence": \d+/, `"sequence": ${sequence}`);
}

/** The lines of a recorded log, with an identity and in the places that they stand at; other requests stay as they are. */
export function ownLog(lines: readonly LogLine[], raw: string, own: Identity): readonly LogLine[] {
  const recorded = envelopeIn(raw);
  let answered = 0;
  return lines.map(({ type, data }) => {
    if (type === 'operation.requested' && isDeepStrictEqual(data, recorded)) {
      return { type, data: { ...data, run_id: own.runId, skill: own.skill, sequence: `#${answered + 1}` } };
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
