import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readAgentSkillsCases, runAgentSkillsCase } from './agent-skills-suite.ts';

const FOLDER = join(import.meta.dirname, '../../../../conformance/agent-skills');
const cases = await readAgentSkillsCases(FOLDER, FOLDER);

describe.each(cases)('recorded: $op $id', (one) => {
  it('gives what is recorded', async () => {
    expect(await runAgentSkillsCase(one)).toMatchObject({ differences: [], problem: null });
  });
});
