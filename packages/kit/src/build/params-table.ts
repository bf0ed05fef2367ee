import type { AnySchema } from '../definition/skill-definition.ts';
import { jsonSchemaOf } from '../schema/json-schema.ts';

/** A parameter of a skill, as far as its JSON Schema tells. */
export interface Parameter {
  readonly name: string;
  /** For people: a type of JSON, or the values in back-quotes. */
  readonly type: string;
  readonly isRequired: boolean;
  /** As JSON; undefined when there is none. */
  readonly defaultValue: string | undefined;
  /** What an example has; undefined when it leaves it out. */
  readonly example: unknown;
}

/** In the order of the schema. @throws KitError SKILL_DEFINITION_INVALID if it has no JSON Schema */
export function parametersOf(params: AnySchema | undefined): Parameter[] {
  if (params === undefined) return [];
  const { properties, required } = jsonSchemaOf(params);
  const wanted = new Set<unknown>(Array.isArray(required) ? required : []);
  return Object.entries(asRecord(properties)).map(([name, property]) => {
    const schema = asRecord(property);
    const hasDefault = Object.hasOwn(schema, 'default');
    const isRequired = wanted.has(name) && !hasDefault;
    return {
      name,
      type: typeOf(schema),
      isRequired,
      defaultValue: hasDefault ? JSON.stringify(schema.default) : undefined,
      example: hasDefault ? schema.default : isRequired ? exampleOf(name, schema) : undefined,
    };
  });
}

/** An object that the schema of these parameters takes, or that shows what to fill in. */
export function exampleParams(parameters: readonly Parameter[]): string {
  const entries = parameters.filter(({ example }) => example !== undefined);
  return JSON.stringify(Object.fromEntries(entries.map(({ name, example }) => [name, example])));
}

/** The lines of a Markdown table. */
export function parameterTable(parameters: readonly Parameter[]): string[] {
  return [
    '| Name | Type | Required | Default |',
    '|------|------|----------|---------|',
    ...parameters.map(({ name, type, isRequired, defaultValue }) => {
      const cells = [
        `\`${name}\``,
        type,
        isRequired ? '**Yes**' : 'No',
        defaultValue && `\`${defaultValue}\``,
      ];
      return `| ${cells.map((cell) => inCell(cell ?? '—')).join(' | ')} |`;
    }),
  ];
}

function inCell(text: string): string {
  return text.replaceAll('|', String.raw`\|`).replaceAll(/\s*\n\s*/g, ' ');
}

function typeOf(schema: Record<string, unknown>): string {
  const values = valuesOf(schema);
  if (values.length > 0) return values.map((value) => `\`${JSON.stringify(value)}\``).join(' | ');
  const { type, items } = schema;
  if (type === 'array' && items !== undefined) return `${typeOf(asRecord(items))}[]`;
  if (typeof type === 'string') return type;
  const inner = [schema.anyOf, schema.oneOf, type].find((one) => Array.isArray(one)) as unknown[] | undefined;
  if (inner === undefined) return 'any';
  return [...new Set(inner.map((one) => (typeof one === 'string' ? one : typeOf(asRecord(one)))))].join(
    ' | ',
  );
}

function exampleOf(name: string, schema: Record<string, unknown>): unknown {
  const [value] = valuesOf(schema);
  if (value !== undefined) return value;
  switch (schema.type) {
    case 'number':
    case 'integer':
      return 0;
    case 'boolean':
      return false;
    case 'array':
      return [];
    case 'object':
      return {};
    default:
      return `<${name}>`;
  }
}

function valuesOf({ enum: values, const: only }: Record<string, unknown>): unknown[] {
  if (Array.isArray(values)) return values;
  return only === undefined ? [] : [only];
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
