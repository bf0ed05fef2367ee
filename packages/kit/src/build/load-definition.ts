import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Buildable } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';
import { bundleSource } from './bundle-source.ts';

export interface LoadOptions {
  /** Other names under which sources import the kit, such as that of a package they were written for. */
  readonly aliases?: readonly string[];
}

export interface LoadedDefinition {
  readonly definition: Buildable;
  /** The files it comes from, absolute. */
  readonly inputs: readonly string[];
}

/**
 * What a source file exports by default. The file is bundled into a temporary folder and imported from there: nothing
 * is written beside the source, and it needs no loader for TypeScript.
 * @throws KitError BUILD_FAILED, SKILL_DEFINITION_INVALID
 */
export async function loadDefinition(entry: string, options: LoadOptions = {}): Promise<Buildable> {
  return (await loadWithInputs(entry, options)).definition;
}

/** The same, for who wants to know when to load it again. */
export async function loadWithInputs(entry: string, options: LoadOptions = {}): Promise<LoadedDefinition> {
  const path = resolve(entry);
  await wantFile(path, entry);
  const { code, inputs } = await bundleSource({
    // By name it would be esbuild that misses an export, in words about a file that the author has not written.
    contents: `import * as source from ${JSON.stringify(path)};\nexport default source['default'];`,
    folder: dirname(path),
    minify: false,
    ...options,
  });
  const exported = await importDefault(code, entry);
  if (exported === undefined) {
    throw new KitError(
      'BUILD_FAILED',
      `${entry} has no default export; write \`export default skill({...}).step(...).build();\``,
    );
  }
  if (!isBuildable(exported)) {
    const hint = hasBuild(exported)
      ? 'it is a builder: call .build()'
      : 'make it with skill() or reference()';
    throw new KitError('SKILL_DEFINITION_INVALID', `the default export of ${entry} is no skill; ${hint}`);
  }
  return { definition: exported, inputs };
}

async function wantFile(path: string, shown: string): Promise<void> {
  const found = await stat(path).catch((error: unknown) => {
    throw new KitError('BUILD_FAILED', `there is no file ${shown}`, { cause: error });
  });
  if (!found.isFile())
    throw new KitError('BUILD_FAILED', `${shown} is no file; name the source of the skill`);
}

async function importDefault(code: Uint8Array, entry: string): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), 'skillyard-kit-'));
  try {
    const file = join(folder, 'definition.mjs');
    await writeFile(file, code);
    const module = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
      readonly default: unknown;
    };
    return module.default;
  } catch (error) {
    // The bundle has its own copy of the kit, and of its error class.
    const message = error instanceof Error ? error.message : String(error);
    const isInvalid = error instanceof Error && 'code' in error && error.code === 'SKILL_DEFINITION_INVALID';
    throw new KitError(
      isInvalid ? 'SKILL_DEFINITION_INVALID' : 'BUILD_FAILED',
      `${entry} cannot be loaded: ${message}`,
      {
        cause: error,
      },
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function isBuildable(value: unknown): value is Buildable {
  return (
    typeof value === 'object' &&
    value !== null &&
    'kind' in value &&
    (value.kind === 'skill' || value.kind === 'reference')
  );
}

function hasBuild(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'build' in value && typeof value.build === 'function';
}
