import { ProgramError } from '../program-error.ts';
import { runFiles, runIds, runsFolderOf } from '../supervisor/run-files.ts';
import { type LogRecord, readLog } from '../supervisor/run-log.ts';
import { printable } from './printable.ts';
import { SKILL_FLAG, skillOf } from './skill-of.ts';
import type { Verb } from './verb.ts';

const MAX_DATA_BYTES = 140;

export const inspectVerb: Verb = {
  name: 'inspect',
  usage: '[<run id>] [--skill <folder>]',
  summary: 'list the runs of a skill, or show the log of one',
  flags: SKILL_FLAG,
  async run(call) {
    const { words, io } = call;
    const [runId, ...others] = words;
    if (others.length > 0) throw new ProgramError('USAGE', 'inspect takes at most one run id');
    const runs = runsFolderOf(skillOf(call).folder);
    const all = runIds(runs);
    if (runId === undefined && all.length === 0) io.stderr(printable(`there are no runs in ${runs}\n`));
    const lines =
      runId === undefined ? all : readLog(runFiles(runs, runId)).records.map((record) => lineOf(record));
    io.stdout(printable(lines.map((line) => `${line}\n`).join('')));
    return 0;
  },
};

function lineOf({ seq, type, at, data }: LogRecord): string {
  const time = at.replace(/\.\d+/, '');
  return `${String(seq).padStart(3, '0')}  ${type.padEnd(22)} ${time}  ${cut(data)}`;
}

/** At the end of a whole character. */
function cut(data: string): string {
  const bytes = Buffer.from(data);
  if (bytes.length <= MAX_DATA_BYTES) return data;
  return `${new TextDecoder().decode(bytes.subarray(0, MAX_DATA_BYTES), { stream: true })}…`;
}
