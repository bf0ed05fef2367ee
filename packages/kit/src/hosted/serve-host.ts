import type { SkillDefinition } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';
import type { HostedOptions } from './decide.ts';

/** The streams that the protocol goes over. */
export interface HostStreams {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/**
 * Serves the decisions and the actions of a skill until the input ends.
 * @param streams absent: the standard streams of this process, whose stdout is then closed to everything else
 */
export async function serveHost(
  definition: SkillDefinition,
  _options: HostedOptions = {},
  _streams?: HostStreams,
): Promise<void> {
  throw new KitError('PROTOCOL', `the skill "${definition.name}" cannot be hosted yet`);
}
