import type { Answers, Json, JsonObject, Question } from '@skillyard/contracts';

type Schema = Readonly<Record<string, unknown>>;

/**
 * The response of a step whose prompt asks people and nothing else, when it is plain which answer belongs where: a model
 * would only copy it.
 * @param schema JSON Schema of the response; null: the step takes no response
 * @returns undefined when it is not plain
 */
export function responseOfAnswers(
  schema: JsonObject | null,
  questions: readonly Question[],
  answers: Answers,
): Json | undefined {
  if (schema === null) return {};
  const wanted = wantedProperties(schema);
  if (wanted === null) {
    const [only] = questions;
    return questions.length === 1 && only !== undefined && fits(schema, only) ? answers[0] : undefined;
  }
  const [plan] = questions;
  if (plan?.kind === 'plan' && questions.length === 1) return planResponse(schema, answers[0]);
  return oneProperty(wanted, questions, answers) ?? propertyEach(wanted, questions, answers);
}

/** The properties that have to be filled: those that are required, or all when none is. null: it is no object. */
function wantedProperties(schema: Schema): ReadonlyMap<string, Schema> | null {
  const properties = schema['properties'];
  if (typeof properties !== 'object' || properties === null) return null;
  const all = Object.entries(properties as Readonly<Record<string, Schema>>);
  const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : [];
  const wanted = all.filter(([name]) => required.includes(name));
  return new Map(wanted.length > 0 ? wanted : all);
}

/** A list that takes the answers to all questions. */
function oneProperty(
  wanted: ReadonlyMap<string, Schema>,
  questions: readonly Question[],
  answers: Answers,
): Json | undefined {
  const [entry] = wanted;
  if (wanted.size !== 1 || questions.length < 2 || entry === undefined) return undefined;
  const [name, schema] = entry;
  if (schema['type'] !== 'array') return undefined;
  const items = itemsOf(schema);
  return questions.every((question) => fits(items, question)) ? { [name]: answers } : undefined;
}

/** One property for each question, where each has exactly one that takes it. */
function propertyEach(
  wanted: ReadonlyMap<string, Schema>,
  questions: readonly Question[],
  answers: Answers,
): Json | undefined {
  if (wanted.size !== questions.length) return undefined;
  const response: JsonObject = {};
  for (const [index, question] of questions.entries()) {
    const taking = [...wanted].filter(([, schema]) => fits(schema, question));
    const name = taking[0]?.[0];
    if (taking.length !== 1 || name === undefined || Object.hasOwn(response, name)) return undefined;
    response[name] = answers[index] ?? null;
  }
  return response;
}

/** The names under which steps commonly take what is to be changed of a plan. */
const CHANGES = ['modifications', 'changes'];

function planResponse(schema: Schema, answer: Json | undefined): Json | undefined {
  const wanted = wantedProperties(schema);
  const properties = schema['properties'] as Readonly<Record<string, Schema>>;
  if (!isObject(answer) || properties['approved']?.['type'] !== 'boolean') return undefined;
  const changes = CHANGES.find((name) => properties[name] !== undefined);
  const others = [...(wanted?.keys() ?? [])].filter((name) => name !== 'approved' && name !== changes);
  if (others.length > 0) return undefined;
  const { approved, modifications } = answer;
  const said = modifications ?? (changes !== undefined && wanted?.has(changes) === true ? '' : undefined);
  return {
    approved: approved ?? false,
    ...(changes !== undefined && said !== undefined && { [changes]: said }),
  };
}

/** Whether any answer to a question is a value of a schema. */
function fits(schema: Schema, { kind, options = [], multiSelect = false }: Question): boolean {
  switch (kind) {
    case 'text':
      return schema['type'] === 'string' && schema['enum'] === undefined;
    case 'confirm':
      return schema['type'] === 'boolean';
    case 'choice': {
      if (multiSelect) return schema['type'] === 'array' && takes(itemsOf(schema), options);
      return takes(schema, options);
    }
    case 'plan':
      return false;
  }
}

function takes(schema: Schema, options: NonNullable<Question['options']>): boolean {
  const values = valuesOf(schema);
  return values === null ? schema['type'] === 'string' : options.every(({ value }) => values.includes(value));
}

/** The values that a schema lists, however it does; null when it lists none. */
function valuesOf(schema: Schema): unknown[] | null {
  if (Array.isArray(schema['enum'])) return schema['enum'] as unknown[];
  if (schema['const'] !== undefined) return [schema['const']];
  const branches = schema['anyOf'] ?? schema['oneOf'];
  if (!Array.isArray(branches)) return null;
  const lists = branches.map((branch) => valuesOf(branch as Schema));
  return lists.includes(null) ? null : lists.flat();
}

function itemsOf({ items }: Schema): Schema {
  return typeof items === 'object' && items !== null ? (items as Schema) : {};
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
