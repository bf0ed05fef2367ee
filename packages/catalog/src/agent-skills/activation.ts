import { type JsonObject, SkillyardError } from '@skillyard/contracts';
import type { AgentSkill } from './agent-skill.ts';
import { compareBytes } from './byte-order.ts';

/** What the tool needs to know of a skill. */
export type ActivatableSkill = Pick<AgentSkill, 'name' | 'body' | 'location'>;

/** A tool as a model is told of it. */
export interface ActivationTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly parameters: JsonObject;
}

/** What a call came to: a text for the model, or a call that failed. */
export type Activation = { readonly output: string } | { readonly error: string };

const TOOL_NAME = 'activate_skill';
const UNREADABLE = 'failed to unmarshal input: check the schema and try again';

/**
 * The tool by which a model takes up a skill. The names stand in the schema, so that it has something to choose from.
 * @throws SkillyardError INPUT_INVALID without skills: a tool that can do nothing is not offered
 */
export function activationTool(skills: readonly ActivatableSkill[]): ActivationTool {
  if (skills.length === 0) {
    const message = `there are no skills, so ${TOOL_NAME} could do nothing: do not offer it`;
    throw new SkillyardError('INPUT_INVALID', message);
  }
  return {
    name: TOOL_NAME,
    description:
      'Gives the full instructions of a skill. Call it before work that the description of a skill fits, then do as ' +
      'they say. Paths in them start at the location that comes with them.',
    parameters: {
      type: 'object',
      properties: {
        name: {
          type: 'string',
          description: 'Name of the skill to activate',
          enum: skills.map(({ name }) => name),
        },
      },
      required: ['name'],
    },
  };
}

/**
 * Answers a call of the tool.
 * @param args what the model gave, as an object or as the text it wrote; around the JSON of a text may be prose
 * @returns JSON: `skill`, `instructions` and `location`, or an `error` that lists the names there are, so that the model
 * can try again. Only arguments that cannot be read fail the call.
 */
export function activateSkill(skills: readonly ActivatableSkill[], args: unknown): Activation {
  const name = nameIn(typeof args === 'string' ? jsonIn(args) : args);
  if (name === undefined) return { error: UNREADABLE };
  const skill = skills.find((one) => one.name === name);
  return { output: JSON.stringify(skill === undefined ? notFound(name, skills) : answer(skill)) };
}

function answer({ name, body, location }: ActivatableSkill): JsonObject {
  return {
    skill: name,
    ...(body !== '' && { instructions: body }),
    ...(location !== '' && { location }),
  };
}

function notFound(name: string, skills: readonly ActivatableSkill[]): JsonObject {
  const names = skills.map((skill) => skill.name).toSorted(compareBytes);
  return {
    error: {
      code: 'skill_not_found',
      message: `skill ${JSON.stringify(name)} not found`,
      available_skills: names.join(', '),
    },
  };
}

/** @returns undefined when it holds no JSON */
function jsonIn(text: string): unknown {
  const start = text.search(/[{[]/);
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'));
  try {
    return JSON.parse(start >= 0 && end > start ? text.slice(start, end + 1) : text);
  } catch {
    return undefined;
  }
}

/**
 * The name among arguments; models also write `Name`. Without one it is empty, which no skill is called.
 * @returns undefined when the arguments are no object, or the name no text
 */
function nameIn(args: unknown): string | undefined {
  if (args === null) return '';
  if (typeof args !== 'object' || Array.isArray(args)) return undefined;
  let name = '';
  for (const [key, value] of Object.entries(args)) {
    if (key.toLowerCase() !== 'name' || value === null) continue;
    if (typeof value !== 'string') return undefined;
    name = value;
  }
  return name;
}
