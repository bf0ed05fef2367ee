import { ProgramError } from '../program-error.ts';

/** What a program needs as a turn of the platform: the key `hosted` of its `skill.json`. */
export interface HostedSettings {
  /** Servers, or single tools of them, that the model of an agent task may call; none when absent. */
  readonly tools?: readonly string[];
  /** Name from the configuration; the default model when absent. */
  readonly model?: string;
  /** Limits of a turn, as a flow has them. */
  readonly limits?: Readonly<Record<string, number>>;
}

/**
 * Reads the key `hosted` of a manifest.
 * @param value as it stands there; undefined: not said
 * @throws ProgramError SKILL_INVALID with what is wrong
 */
export function readHostedSettings(value: unknown): HostedSettings {
  if (value === undefined) return {};
  const problem = problemOf(value);
  if (problem === null) return value as HostedSettings;
  throw new ProgramError('SKILL_INVALID', `skill.json: \`hosted\` ${problem}`);
}

/** Those of a turn: another one would make a description that the platform refuses. */
const LIMITS = ['generations', 'calls', 'tokens', 'seconds'];

function problemOf(value: unknown): string | null {
  if (!isObject(value)) return 'must be an object with tools, model or limits';
  const { tools = [], model = '', limits = {}, ...others } = value;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return `has the key "${unknown}"; only tools, model and limits are known`;
  if (!Array.isArray(tools) || tools.some((tool) => typeof tool !== 'string'))
    return 'must name its tools in a list of texts';
  if (typeof model !== 'string') return 'must name its model by a text';
  const isLimit = ([name, limit]: [string, unknown]) => LIMITS.includes(name) && Number.isInteger(limit);
  if (!isObject(limits) || !Object.entries(limits).every(isLimit))
    return `must have whole numbers for its limits, which are ${LIMITS.join(', ')}`;
  return null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
