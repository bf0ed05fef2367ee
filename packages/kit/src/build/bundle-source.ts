import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildFailure, Plugin } from 'esbuild';
import { KitError } from '../kit-error.ts';

export interface BundleOptions {
  /** The module that the bundle is made from; it may import by absolute paths. */
  readonly contents: string;
  /** Where what it imports is looked for. */
  readonly folder: string;
  readonly aliases?: readonly string[];
  /** Small, and the same whatever folder it is built in; otherwise stack traces lead to the sources. */
  readonly minify: boolean;
}

export interface Bundle {
  readonly code: Uint8Array;
  /** The files it was made from, absolute. */
  readonly inputs: readonly string[];
}

const KIT = '@skillyard/kit';

/** The folder of the modules of this kit: its sources, or what they are compiled to. */
const HOME = fileURLToPath(new URL('../', import.meta.url));
const FROM_SOURCES = import.meta.url.endsWith('.ts');

/** The entries of the kit, as its package.json names them. */
const ENTRIES: Readonly<Record<string, string>> = {
  '': 'index',
  '/test': 'testing/index',
  '/cli': 'cli/index',
  '/hosted': 'hosted/index',
  '/build': 'build/index',
};

/** CommonJS dependencies ask for built-ins by `require`, which a module does not have. */
const BANNER =
  'import{createRequire as __skillyardRequire}from"node:module";const require=__skillyardRequire(import.meta.url);';

/**
 * Bundles a module with everything it needs but Node itself, in memory.
 * @throws KitError BUILD_FAILED with what esbuild says
 */
export async function bundleSource(options: BundleOptions): Promise<Bundle> {
  // Loaded when it is needed: a command that builds nothing does not wait for it.
  const { build, formatMessages } = await import('esbuild');
  try {
    const { outputFiles, metafile } = await build({
      stdin: { contents: options.contents, resolveDir: options.folder, sourcefile: 'skillyard-kit-entry.js' },
      absWorkingDir: options.folder,
      bundle: true,
      write: false,
      metafile: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      charset: 'utf8',
      minify: options.minify,
      sourcemap: options.minify ? false : 'inline',
      // Paths of the map are seen from the folder of the sources, wherever the bundle is written.
      sourceRoot: `${options.folder}/`,
      // The form that names no file: paths would differ from machine to machine.
      legalComments: 'inline',
      banner: { js: BANNER },
      plugins: [ownKit(options.aliases ?? []), onlyIfUsed('arktype')],
      logLevel: 'silent',
      ...(FROM_SOURCES && { conditions: ['@skillyard/source'] }),
    });
    const [output] = outputFiles;
    if (output === undefined) throw new KitError('BUILD_FAILED', 'esbuild has made no file');
    const inputs = Object.keys(metafile.inputs).map((path) => resolve(options.folder, path));
    return { code: output.contents, inputs: inputs.filter((path) => existsSync(path)) };
  } catch (error) {
    if (!isBuildFailure(error)) throw error;
    const lines = await formatMessages(error.errors, { kind: 'error' });
    throw new KitError('BUILD_FAILED', `the sources cannot be bundled\n${lines.join('').trim()}`, {
      cause: error,
    });
  }
}

/**
 * Takes the kit from here, whatever folder asks for it: the author's sources and the command line of the skill must
 * share one copy, and a source file need not lie beside a `node_modules`.
 */
function ownKit(aliases: readonly string[]): Plugin {
  return {
    name: 'skillyard-kit',
    setup(build) {
      for (const name of [KIT, ...aliases]) {
        build.onResolve({ filter: new RegExp(`^${escaped(name)}(?:/|$)`) }, ({ path }) => {
          const entry = ENTRIES[path.slice(name.length)];
          if (entry === undefined) return { errors: [{ text: `${KIT} has no entry "${path}"` }] };
          return { path: resolve(HOME, `${entry}.${FROM_SOURCES ? 'ts' : 'js'}`) };
        });
      }
    },
  };
}

/** A skill whose schemas are of another library does not wait for ArkType to start; without this, all of it is kept. */
function onlyIfUsed(name: string): Plugin {
  return {
    name: 'skillyard-kit-unused',
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${escaped(name)}$`) }, async ({ path, pluginData, ...from }) => {
        if (pluginData === name) return undefined;
        const { kind, importer, namespace, resolveDir } = from;
        const found = await build.resolve(path, { kind, importer, namespace, resolveDir, pluginData: name });
        return { ...found, sideEffects: false };
      });
    },
  };
}

function escaped(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && 'errors' in error && Array.isArray(error.errors);
}
