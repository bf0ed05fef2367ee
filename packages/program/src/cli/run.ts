import { resolve } from 'node:path';
import { ProgramError } from '../program-error.ts';
import { startRun } from '../supervisor/supervise.ts';
import { readNamed } from './read-text.ts';
import { checkBuilt, supervisionOf } from './skill-of.ts';
import { tellProgress } from './tell-progress.ts';
import type { Verb } from './verb.ts';

export const runVerb: Verb = {
  name: 'run',
  usage: '<skill folder> [--input <file>]',
  summary: 'start a run; a program reads the file as its input, as JSON when it is JSON and else as text',
  flags: { input: 'text' },
  async run({ words, flags, io }) {
    const [folder, ...others] = words;
    if (folder === undefined || others.length > 0)
      throw new ProgramError('USAGE', 'run takes exactly one skill directory');
    const input = flags.text('input');
    const bytes = input === undefined ? null : await readNamed(io, input);
    const skill = supervisionOf(resolve(io.cwd, folder), io);
    await checkBuilt(skill.folder);
    tellProgress(await startRun(skill, bytes), io);
    return 0;
  },
};
