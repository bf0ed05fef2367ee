import type { CliTranscript } from './run-cli-transcript.ts';

/** The params that transcripts start a skill with, for recordings of the same skill that do not say theirs. */
export function recordedParams(
  transcripts: readonly CliTranscript[],
  skill: string,
  subskill?: string,
): unknown {
  for (const transcript of transcripts) {
    if (transcript.skill !== skill) continue;
    for (const { argv, exit_code } of transcript.calls) {
      const at = argv.indexOf('--params');
      const isMeant =
        subskill === undefined ? argv[0] === '--params' || argv[0] === 'start' : argv[0] === subskill;
      if (at >= 0 && exit_code === 0 && isMeant) return JSON.parse(argv[at + 1] ?? '{}') as unknown;
    }
  }
  return {};
}
