import type { TSchema } from 'typebox';

type Query = Readonly<Record<string, unknown>>;

/**
 * Gives the parts of a query the types that their schemas ask for: text is all that an address holds. What does not
 * look like the type is left as it is, for the validator to refuse.
 */
export function queryValues(schema: TSchema, query: Query): Record<string, unknown> {
  const properties = (schema as { properties?: Record<string, { type?: string }> }).properties ?? {};
  const values = Object.entries(query).map(([name, value]) => [
    name,
    converted(Object.hasOwn(properties, name) ? properties[name]?.type : undefined, value),
  ]);
  return Object.fromEntries(values) as Record<string, unknown>;
}

function converted(type: string | undefined, value: unknown): unknown {
  if (type === 'array' && !Array.isArray(value)) return [value];
  if (type === 'integer' && typeof value === 'string' && /^-?\d{1,16}$/.test(value)) return Number(value);
  return value;
}
