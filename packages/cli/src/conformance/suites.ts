import { SkillyardError } from '@skillyard/contracts';
import { runAgentSkillsSuite } from './agent-skills-suite.ts';
import { runFlowSuite } from './flow-suite.ts';
import { runResolverSuite } from './resolver-suite.ts';
import type { Suite } from './suite.ts';

/** The suites that cases come in, each in a file of its own. */
const SUITES: Readonly<Record<string, Suite>> = {
  flow: runFlowSuite,
  'agent-skills': runAgentSkillsSuite,
  resolver: runResolverSuite,
  // Loaded when it runs: the kit and its validators would make every command a second slower to start.
  kit: async (...given) => (await import('./kit/kit-suite.ts')).runKitSuite(...given),
  yield: async (...given) => (await import('./yield/yield-suite.ts')).runYieldSuite(...given),
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
