import type { Json, JsonObject } from '@skillyard/contracts';

/**
 * Whether a schema keeps the rules of OpenAI's strict mode: every object lists all of its properties as required and
 * allows no others. Endpoints refuse a schema that is sent as strict and is not.
 */
export function isStrictSchema(schema: JsonObject): boolean {
  return schema['type'] === 'object' && keepsRules(schema);
}

function keepsRules(node: Json | undefined): boolean {
  if (Array.isArray(node)) return node.every(keepsRules);
  if (typeof node !== 'object' || node === null) return true;
  const { properties } = node;
  if (node['type'] === 'object' || properties !== undefined) {
    if (node['additionalProperties'] !== false) return false;
    const names = isObject(properties) ? Object.keys(properties) : [];
    const required = Array.isArray(node['required']) ? node['required'] : [];
    if (!names.every((name) => required.includes(name))) return false;
  }
  const named = [properties, node['$defs'], node['definitions']].filter(isObject);
  const children = [...named.flatMap((group) => Object.values(group)), node['items'], node['anyOf']];
  return children.every(keepsRules);
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
