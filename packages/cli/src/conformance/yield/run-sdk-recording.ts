import { judge, readExact, type RunRecording } from './yield-folder.ts';
import { type RecordedProgram, journalOf, stepsOf } from './recorded-program.ts';
import { inTurns } from './in-turns.ts';

/** Runs a recorded program with our SDK for its language, a process for each of its journals. */
export const runSdkRecording: RunRecording = async (recording, name, { workspace }) => {
  const recorded = recording as RecordedProgram;
  const program = await workspace.program(recorded.program_source);
  return inTurns(stepsOf(recorded), async (step) => {
    const ended = await workspace.run(program, { journal: journalOf(step) });
    const entry = { name, entry: step.name, title: recorded.program };
    return judge(
      entry,
      { exit_code: step.exit_code, stdout: readExact(step.stdout), stderr: step.stderr },
      { exit_code: ended.exit, stdout: readExact(ended.stdout), stderr: toldOf(ended.stderr) },
    );
  });
};

/** Stands for where an error came from: lines of other files here. */
const TRACEBACK = '(python traceback)';

function toldOf(stderr: string): string {
  return stderr.startsWith('Traceback ') ? TRACEBACK : stderr;
}
