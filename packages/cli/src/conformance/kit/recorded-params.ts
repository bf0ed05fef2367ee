import { isRecord } from '../../is-record.ts';
import type { CliTranscript } from './run-cli-transcript.ts';

/**
 * The params that transcripts start a skill with, for recordings of the same skill that do not say theirs.
 * @returns each once, and at least none at all
 */
export function recordedParams(
  transcripts: readonly CliTranscript[],
  skill: string,
  subskill?: string,
): readonly unknown[] {
  const texts = new Set<string>();
  for (const transcript of transcripts) {
    if (transcript.skill !== skill) continue;
    for (const { argv, exit_code } of transcript.calls) {
      const at = argv.indexOf('--params');
      const isMeant =
        subskill === undefined ? argv[0] === '--params' || argv[0] === 'start' : argv[0] === subskill;
      if (at >= 0 && exit_code === 0 && isMeant) texts.add(argv[at + 1] ?? '{}');
    }
  }
  return [...texts, '{}'].map((text) => JSON.parse(text) as unknown);
}

/** By step: an answer that was taken in some transcript. */
export function recordedAnswers(transcripts: readonly CliTranscript[]): Record<string, unknown> {
  const answers = new Map<string, unknown>();
  for (const { argv, exit_code, stdout_json } of transcripts.flatMap(({ calls }) => calls)) {
    const [step, output] = ['--step', '--output'].map((flag) => argv[argv.indexOf(flag) + 1]);
    const isTaken = exit_code === 0 && isRecord(stdout_json) && stdout_json['kind'] !== 'error';
    if (isTaken && argv.includes('--output') && step !== undefined && output !== undefined) {
      answers.set(step, JSON.parse(output));
    }
  }
  return Object.fromEntries(answers);
}
