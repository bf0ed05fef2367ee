import { resumeRun } from '../supervisor/supervise.ts';
import { readNamed } from './read-text.ts';
import { oneRun, SKILL_FLAG, skillOf } from './skill-of.ts';
import { tellProgress } from './tell-progress.ts';
import type { Verb } from './verb.ts';

export const resumeVerb: Verb = {
  name: 'resume',
  usage: '<run id> [--response <file>] [--skill <folder>] [--accept-new-digest] [--run-again]',
  summary:
    'go on with a run, with a response envelope or from where it is; --run-again repeats a command that may have been run',
  flags: { ...SKILL_FLAG, response: 'text', 'accept-new-digest': 'switch', 'run-again': 'switch' },
  async run(call) {
    const { flags, io } = call;
    const runId = oneRun(call, 'resume takes exactly one run id');
    const path = flags.text('response');
    const response = path === undefined ? null : (await readNamed(io, path)).toString('utf8');
    const progress = await resumeRun(skillOf(call), runId, {
      response,
      acceptNewDigest: flags.on('accept-new-digest'),
      runAgain: flags.on('run-again'),
    });
    tellProgress(progress, io);
    return 0;
  },
};
