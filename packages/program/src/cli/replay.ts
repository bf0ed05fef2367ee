import { replayRun } from '../supervisor/replay.ts';
import { oneRun, SKILL_FLAG, skillOf } from './skill-of.ts';
import { tellProgress } from './tell-progress.ts';
import type { Verb } from './verb.ts';

export const replayVerb: Verb = {
  name: 'replay',
  usage: '<run id> [--skill <folder>]',
  summary:
    'run the program once with all that is recorded, and look whether it comes to the same; nothing is written',
  flags: SKILL_FLAG,
  async run(call) {
    const progress = await replayRun(skillOf(call), oneRun(call, 'replay takes exactly one run id'));
    call.io.stdout("replay: deterministic — the log reproduces the run's frontier\n");
    tellProgress(progress, call.io);
    return 0;
  },
};
