import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ProgramError } from '../program-error.ts';
import {
  refuseLink,
  type RunFiles,
  removeRun,
  runFiles,
  runIds,
  runsFolderOf,
} from '../supervisor/run-files.ts';
import { readLog } from '../supervisor/run-log.ts';
import { RunState } from '../supervisor/run-state.ts';
import { oneFolder } from './one-folder.ts';
import { readDurationMs } from './read-duration.ts';
import type { Verb } from './verb.ts';

export const pruneVerb: Verb = {
  name: 'prune',
  usage: '<skill folder> --older-than <duration> [--keep-last <n>] [--dry-run]',
  summary: 'remove runs that have ended, with all that was kept of them; a duration is such as 12h or 30d',
  flags: { 'older-than': 'text', 'keep-last': 'text', 'dry-run': 'switch' },
  async run(call) {
    const { words, flags, io } = call;
    const olderThanMs = readDurationMs(flags.text('older-than') ?? '') ?? 0;
    const keepLast = flags.text('keep-last') ?? '0';
    if (words.length !== 1 || olderThanMs <= 0 || !/^\d{1,9}$/.test(keepLast)) {
      throw new ProgramError(
        'USAGE',
        'prune takes one skill directory, --older-than greater than zero, and a nonnegative --keep-last',
        { hint: 'a duration is a number and a unit, such as 12h or 30d' },
      );
    }
    const runs = runsFolderOf(oneFolder('prune', call));
    for (const path of [dirname(runs), runs]) refuseLink(path);
    const ended = runIds(runs)
      .map((id) => runFiles(runs, id))
      .filter(hasEnded)
      .map((files) => ({ files, changedMs: statSync(files.log, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
      .toSorted((a, b) => b.changedMs - a.changedMs);
    const before = Date.now() - olderThanMs;
    const selected = ended.slice(Number(keepLast)).filter(({ changedMs }) => changedMs <= before);
    for (const { files } of selected) {
      if (!flags.on('dry-run')) await removeRun(files);
      io.stdout(`prune: ${files.runId}\n`);
    }
    io.stdout(`prune: ${selected.length} terminal run(s) selected\n`);
    return 0;
  },
};

/** Whether nothing more can come of a run. A log that cannot be read stays where it is: somebody has to look at it. */
function hasEnded(files: RunFiles): boolean {
  try {
    return RunState.fold(readLog(files).records).ending !== null;
  } catch (error) {
    // Gone: somebody else prunes, too.
    if (ProgramError.is(error, 'LOG_CORRUPT') || ProgramError.is(error, 'NOT_FOUND')) return false;
    throw error;
  }
}
