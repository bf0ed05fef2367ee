import { SkillyardError } from '@skillyard/contracts';
import { runAgentSkillsSuite } from './agent-skills-suite.ts';
import { runFlowSuite } from './flow-suite.ts';
import { runKitSuite } from './kit/kit-suite.ts';
import { runResolverSuite } from './resolver-suite.ts';
import type { Suite } from './suite.ts';

/** The suites that cases come in, each in a file of its own. */
const SUITES: Readonly<Record<string, Suite>> = {
  flow: runFlowSuite,
  'agent-skills': runAgentSkillsSuite,
  resolver: runResolverSuite,
  kit: runKitSuite,
};

export const SUITE_NAMES: readonly string[] = Object.keys(SUITES);

/**
 * The suite of a name.
 * @throws SkillyardError INPUT_INVALID
 */
export function findSuite(name: string): Suite {
  const suite = Object.hasOwn(SUITES, name) ? SUITES[name] : undefined;
  if (suite === undefined) {
    const message = `there is no suite "${name}"; this version has: ${SUITE_NAMES.join(', ')}`;
    throw new SkillyardError('INPUT_INVALID', message);
  }
  return suite;
}
