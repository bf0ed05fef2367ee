import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Config } from '@skillyard/contracts';
import { loadConfig } from '@skillyard/runtime';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const FILE = fileURLToPath(new URL('../../../docs/skillyard.example.yaml', import.meta.url));

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
}

/** Every key a schema knows, with `*` for names that are free: `models.*.price.input`. */
function keysOf(schema: Schema, path = ''): string[] {
  const below = (key: string, part: Schema): string[] => {
    const at = path === '' ? key : `${path}.${key}`;
    return [at, ...keysOf(part, at)];
  };
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([key, part]) => below(key, part)),
    ...Object.values(schema.patternProperties ?? {}).flatMap((part) => below('*', part)),
    ...(schema.anyOf ?? []).flatMap((part) => keysOf(part, path)),
    ...(schema.items === undefined ? [] : keysOf(schema.items, path)),
  ];
}

/** Every key a document has. */
function keysIn(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => keysIn(item, path));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => {
    const at = path === '' ? key : `${path}.${key}`;
    return [at, ...keysIn(part, at)];
  });
}

function matches(pattern: string, key: string): boolean {
  const [wanted, found] = [pattern.split('.'), key.split('.')];
  return (
    wanted.length === found.length && wanted.every((part, index) => part === '*' || part === found[index])
  );
}

describe('docs/skillyard.example.yaml', () => {
  it('is a valid configuration', async () => {
    await expect(loadConfig({ cwd: '/', env: {}, file: FILE })).resolves.toMatchObject({ file: FILE });
  });

  it('has every key there is', () => {
    const found = keysIn(parse(readFileSync(FILE, 'utf8')));
    // Names with dots in them (addresses) would look like paths: what is below them is not looked at.
    const wanted = [...new Set(keysOf(JSON.parse(JSON.stringify(Config)) as Schema))].filter(
      (key) => !key.startsWith('assets.http.headers_env.'),
    );
    expect(wanted.filter((pattern) => !found.some((key) => matches(pattern, key)))).toEqual([]);
  });
});
