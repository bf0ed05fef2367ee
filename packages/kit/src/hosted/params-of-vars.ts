import type { Json, JsonObject } from '@skillyard/contracts';
import type { SkillDefinition } from '../definition/skill-definition.ts';
import { jsonSchemaOf } from '../schema/json-schema.ts';

/** What a skill is given of the variables of its turn. */
export interface HostedInput {
  readonly params: Json | undefined;
  /** What the turn is about, in words; empty when it is in the params. */
  readonly request: string;
}

/**
 * Makes the params of a skill from the variables of a turn, which are texts.
 *
 * A variable with the name of a param is that param: as it is where the schema wants a text, else as the JSON it holds.
 * The variable `input` may hold all of them as one JSON object. Anything else it says is the request of the turn.
 */
export function paramsOfVars(
  definition: SkillDefinition,
  vars: Readonly<Record<string, string>>,
): HostedInput {
  const { input = '' } = vars;
  if (definition.params === undefined) return { params: undefined, request: input };
  const schema = jsonSchemaOf(definition.params);
  const properties = recordOf(schema['properties']);
  const params: JsonObject = {};
  const isParam = Object.hasOwn(properties, 'input');
  const whole = isParam ? undefined : objectIn(input);
  Object.assign(params, whole);
  for (const [name, property] of Object.entries(properties)) {
    const text = vars[name];
    if (text !== undefined) params[name] = takesText(recordOf(property)) ? text : jsonOr(text);
  }
  return { params, request: isParam || whole !== undefined ? '' : input };
}

/** Whether any text fits; a schema that says nothing takes it, too. */
function takesText({
  type,
  enum: values,
  anyOf,
  oneOf,
  const: only,
}: Readonly<Record<string, unknown>>): boolean {
  if (Array.isArray(type)) return type.includes('string');
  if (typeof type === 'string') return type === 'string';
  if (only !== undefined) return typeof only === 'string';
  if (Array.isArray(values)) return values.every((value) => typeof value === 'string');
  const branches = anyOf ?? oneOf;
  if (Array.isArray(branches)) return branches.some((branch) => takesText(recordOf(branch)));
  return true;
}

function objectIn(text: string): JsonObject | undefined {
  const value = jsonOr(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
}

/** The JSON that a text holds, or the text: then the schema says what is wrong with it. */
function jsonOr(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
