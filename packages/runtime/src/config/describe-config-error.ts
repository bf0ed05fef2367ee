import type { Diagnostic } from '@skillyard/contracts';
import type { ErrorObject } from 'ajv/dist/2020.js';
import type { ConfigDocument } from './config-document.ts';
import { suggest } from './nearest.ts';

/** Turns one schema error into a sentence with a place and a way out. */
export function describeConfigError(document: ConfigDocument, error: ErrorObject): Diagnostic {
  const path = pointerPath(error.instancePath);
  const name = path.join('.');
  const params = error.params as Record<string, unknown>;
  const schema = error.parentSchema as Record<string, unknown>;
  switch (error.keyword) {
    case 'additionalProperties': {
      const key = String(params['additionalProperty']);
      const known = Object.keys((schema['properties'] as Record<string, unknown> | undefined) ?? {});
      if (path[0] === 'servers' && (key === 'url' || key === 'command')) {
        return at(
          document,
          [...path, key],
          'key',
          `${name} has both \`command\` and \`url\``,
          'keep the one that is meant',
        );
      }
      const where = name === '' ? '' : ` in ${name}`;
      return at(document, [...path, key], 'key', `unknown key \`${key}\`${where}`, suggest(key, known));
    }
    case 'required':
      return at(
        document,
        path,
        'key',
        `${name} lacks \`${missing(error)}\``,
        `add \`${missing(error)}:\` to it`,
      );
    case 'anyOf':
      return describeUnion(document, path, error);
    case 'enum': {
      const allowed = (params['allowedValues'] as unknown[]).map(String);
      return at(
        document,
        path,
        'value',
        `${name} is ${shown(error.data)}`,
        `write one of: ${allowed.join(', ')}`,
      );
    }
    case 'type': {
      const wanted = KIND_NAMES[String(params['type'])] ?? String(params['type']);
      const hint = params['type'] === 'string' ? 'write text, in quotes if need be' : `write ${wanted}`;
      return at(document, path, 'value', `${name} must be ${wanted}, and is ${shown(error.data)}`, hint);
    }
    case 'pattern': {
      const hint = String(params['pattern']).includes('ms|s|m|h')
        ? 'write a duration such as 500ms, 30s, 5m or 2h'
        : 'use at most 50 of a-z 0-9 _ -, and begin with a letter or digit';
      return at(document, path, 'value', `${name} is ${shown(error.data)}`, hint);
    }
    case 'minimum':
    case 'maximum': {
      const word = error.keyword === 'minimum' ? 'at least' : 'at most';
      return at(
        document,
        path,
        'value',
        `${name} is ${shown(error.data)}`,
        `it must be ${word} ${String(params['limit'])}`,
      );
    }
    case 'minLength':
      return at(document, path, 'value', `${name} is empty`, 'write a value or leave the key out');
    default:
      return at(
        document,
        path,
        'value',
        `${name} ${error.message ?? 'is not valid'}`,
        'see docs/configuration.md',
      );
  }
}

/** A model of no known provider, or a server that is neither a program nor an address. */
function describeUnion(document: ConfigDocument, path: readonly string[], error: ErrorObject): Diagnostic {
  const name = path.join('.');
  const data: unknown = error.data;
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    return at(
      document,
      path,
      'value',
      `${name} must be a mapping, and is ${shown(data)}`,
      'put its settings below it, indented',
    );
  }
  const alternatives = error.schema as { properties: Record<string, { const?: string }> }[];
  const known = [...new Set(alternatives.flatMap((alternative) => Object.keys(alternative.properties)))];
  if (path[0] === 'servers') {
    const stray = Object.keys(data).find((key) => !known.includes(key));
    if (stray !== undefined) {
      return at(
        document,
        [...path, stray],
        'key',
        `unknown key \`${stray}\` in ${name}`,
        suggest(stray, known),
      );
    }
    return at(
      document,
      path,
      'key',
      `${name} has neither \`command\` nor \`url\``,
      'write `command:` for a program to start, `url:` for an address',
    );
  }
  const providers = alternatives.flatMap((alternative) => alternative.properties['provider']?.const ?? []);
  if (!('provider' in data)) {
    return at(
      document,
      path,
      'key',
      `${name} lacks \`provider\``,
      `add \`provider:\` with one of: ${providers.join(', ')}`,
    );
  }
  return at(
    document,
    [...path, 'provider'],
    'value',
    `${name}.provider is ${shown(data.provider)}`,
    `write one of: ${providers.join(', ')}`,
  );
}

const KIND_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'a mapping',
  array: 'a list',
};

/** A diagnostic at a key or value of the file. */
export function at(
  document: ConfigDocument,
  path: readonly string[],
  part: 'key' | 'value',
  message: string,
  hint: string,
): Diagnostic {
  const position = part === 'key' ? document.keyAt(path) : document.valueAt(path);
  return { code: 'CONFIG_INVALID', severity: 'error', message, hint, position };
}

/** The key that a `required` error is about. */
export function missing(error: ErrorObject): string {
  return String((error.params as Record<string, unknown>)['missingProperty']);
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping';
  return typeof value === 'string' ? `"${value}"` : JSON.stringify(value);
}

/** Segments of a JSON pointer. */
function pointerPath(pointer: string): string[] {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}
