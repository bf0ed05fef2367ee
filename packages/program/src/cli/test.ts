import { ProgramError } from '../program-error.ts';
import { testSkill } from '../fixtures/test-skill.ts';
import { oneFolder } from './one-folder.ts';
import { checkBuilt, supervisionOf } from './skill-of.ts';
import type { Verb, VerbCall } from './verb.ts';

export const testVerb: Verb = {
  name: 'test',
  usage: '<skill folder> [--keep-run]',
  summary: 'run a skill with the answers of its fixtures; only one that completes passes',
  flags: { 'keep-run': 'switch' },
  async run(call) {
    await testAndTell(oneFolder('test', call), call);
    return 0;
  },
};

/**
 * Tests a skill and says how its run ended.
 * @param folder absolute
 * @throws ProgramError SKILL_INVALID for any end but `completed`, and what a run throws
 */
export async function testAndTell(folder: string, { words, flags, io }: VerbCall): Promise<void> {
  await checkBuilt(folder);
  const { runId, status, reason } = await testSkill({
    skill: supervisionOf(folder, io),
    shown: words[0] ?? folder,
    keepRun: flags.on('keep-run'),
  });
  io.stdout(`test: run ${runId} reached ${status}\n`);
  if (status === 'completed') return;
  throw new ProgramError('SKILL_INVALID', `terminal status ${status}${reason === '' ? '' : `: ${reason}`}`);
}
