import { ProgramError } from '../program-error.ts';
import { type Answer, respondRun } from '../supervisor/supervise.ts';
import { readInput } from './read-text.ts';
import { oneRun, SKILL_FLAG, skillOf } from './skill-of.ts';
import { tellProgress } from './tell-progress.ts';
import type { Verb, VerbCall } from './verb.ts';

const USAGE = 'respond takes one run id and exactly one of --value or --result-json';

export const respondVerb: Verb = {
  name: 'respond',
  usage: '<run id> (--value <text> | --result-json <json or ->) [--skill <folder>]',
  summary: 'answer what a run waits for; - reads the result from standard input',
  flags: { ...SKILL_FLAG, value: 'text', 'result-json': 'text' },
  async run(call) {
    const runId = oneRun(call, USAGE);
    tellProgress(await respondRun(skillOf(call), runId, await answerIn(call)), call.io);
    return 0;
  },
};

async function answerIn({ flags, io }: VerbCall): Promise<Answer> {
  const [value, json] = [flags.text('value'), flags.text('result-json')];
  if (value !== undefined && json === undefined) return { value };
  if (value !== undefined || json === undefined) throw new ProgramError('USAGE', USAGE);
  return { resultJson: json === '-' ? await readInput(io) : json };
}
