import type { Json, JsonObject } from '@skillyard/contracts';

/** A schema somewhere inside a response schema. */
export interface SchemaNode {
  readonly schema: JsonObject;
  /** Where, as a path of fields: `rows[].id`; empty for the whole. */
  readonly path: string;
  /** The field it describes, itself or as an item of its list; empty for the whole. */
  readonly name: string;
  readonly inArray: boolean;
  /** The object around it requires the field. */
  readonly required: boolean;
}

const CHOICES = ['anyOf', 'oneOf', 'allOf'] as const;
const DEFINITIONS = ['$defs', 'definitions'] as const;

/** A response schema and every schema inside it, outer ones first. */
export function schemaNodes(schema: JsonObject): readonly SchemaNode[] {
  const found: SchemaNode[] = [];
  collect({ schema, path: '', name: '', inArray: false, required: false }, found);
  return found;
}

function collect(node: SchemaNode, found: SchemaNode[]): void {
  found.push(node);
  const { schema, path } = node;
  const required = requiredOf(schema);
  for (const [name, property] of Object.entries(objectAt(schema, 'properties'))) {
    if (!isObject(property)) continue;
    const at = path === '' ? name : `${path}.${name}`;
    collect(
      { schema: property, path: at, name, inArray: node.inArray, required: required.includes(name) },
      found,
    );
  }
  for (const item of [schema['items'], ...listAt(schema, 'prefixItems')]) {
    if (isObject(item))
      collect({ ...node, schema: item, path: `${path}[]`, inArray: true, required: false }, found);
  }
  for (const choice of CHOICES.flatMap((key) => listAt(schema, key))) {
    if (isObject(choice)) collect({ ...node, schema: choice, required: false }, found);
  }
  for (const definition of DEFINITIONS.flatMap((key) => Object.values(objectAt(schema, key)))) {
    if (isObject(definition)) collect({ ...node, schema: definition, required: false }, found);
  }
}

/** The names of the fields that a schema requires. */
export function requiredOf(schema: JsonObject): readonly string[] {
  return listAt(schema, 'required').filter((name) => typeof name === 'string');
}

/** The fields of a schema. */
export function propertiesOf(schema: JsonObject): readonly string[] {
  return Object.keys(objectAt(schema, 'properties'));
}

/** Whether a schema allows a type. */
export function hasType(schema: JsonObject, type: string): boolean {
  const { type: own } = schema;
  return own === type || (Array.isArray(own) && own.includes(type));
}

function objectAt(schema: JsonObject, key: string): JsonObject {
  const value = schema[key];
  return isObject(value) ? value : {};
}

function listAt(schema: JsonObject, key: string): readonly Json[] {
  const value = schema[key];
  return Array.isArray(value) ? value : [];
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
