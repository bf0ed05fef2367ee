type Schema = Record<string, unknown>;

/**
 * The smallest value that fits a JSON Schema: what the server answers when nothing is scripted and a schema is asked
 * for. Knows enough of the language for the schemas of skills: objects, arrays, enums and plain types.
 */
export function sampleOf(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return null;
  const node = schema as Schema;
  if (node['const'] !== undefined) return node['const'];
  if (Array.isArray(node['enum'])) return node['enum'][0];
  const choice = node['anyOf'] ?? node['oneOf'];
  if (Array.isArray(choice)) return sampleOf(choice[0]);
  const type: unknown = Array.isArray(node['type']) ? node['type'][0] : node['type'];
  switch (type) {
    case 'object':
      return sampleObject(node);
    case 'array':
      return Array.from({ length: Number(node['minItems'] ?? 1) }, () => sampleOf(node['items']));
    case 'integer':
    case 'number':
      return Number(node['minimum'] ?? 1);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return 'text';
  }
}

function sampleObject(node: Schema): Record<string, unknown> {
  const properties = (node['properties'] ?? {}) as Record<string, unknown>;
  const wanted = (node['required'] ?? Object.keys(properties)) as string[];
  return Object.fromEntries(wanted.map((name) => [name, sampleOf(properties[name])]));
}
