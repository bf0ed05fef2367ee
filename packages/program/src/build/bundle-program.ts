import { basename, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildFailure, Plugin } from 'esbuild';
import { ProgramError } from '../program-error.ts';
import { stampOf } from './bundle-stamp.ts';

export interface ProgramBundle {
  readonly code: string;
  /** Leads stack traces to the sources. */
  readonly map: string;
}

const SDK = '@skillyard/program';
const FROM_SOURCES = import.meta.url.endsWith('.ts');
/** The entry of the SDK: its source, or what it is compiled to. */
const SDK_ENTRY = fileURLToPath(new URL(`../index.${FROM_SOURCES ? 'ts' : 'js'}`, import.meta.url));

/** CommonJS dependencies ask for built-ins by `require`, which a module does not have. */
const REQUIRE =
  'import{createRequire as __skillyardRequire}from"node:module";const require=__skillyardRequire(import.meta.url);';

/**
 * Bundles a program with everything it needs but Node itself, in memory. The same sources give the same code wherever they
 * are built: it is a part of what the digest of the skill is made of.
 * @param folder of the skill, absolute, links resolved
 * @param source from the folder
 * @param target what the bundle will be called, from the folder
 * @throws ProgramError BUILD_FAILED with what esbuild says
 */
export async function bundleProgram(folder: string, source: string, target: string): Promise<ProgramBundle> {
  // Loaded when it is needed: a verb that builds nothing does not wait for it.
  const { build, formatMessages } = await import('esbuild');
  try {
    const { outputFiles, metafile } = await build({
      entryPoints: [resolve(folder, source)],
      outfile: resolve(folder, target),
      absWorkingDir: folder,
      bundle: true,
      write: false,
      metafile: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      charset: 'utf8',
      // What is not minified names the files it came from, and paths differ from machine to machine.
      minify: true,
      legalComments: 'inline',
      banner: { js: REQUIRE },
      sourcemap: 'external',
      sourcesContent: false,
      plugins: [ownSdk],
      logLevel: 'silent',
      ...(FROM_SOURCES && { conditions: ['@skillyard/source'] }),
    });
    const [map, code] = outputFiles;
    if (map === undefined || code === undefined)
      throw new ProgramError('BUILD_FAILED', 'esbuild has made no bundle');
    const stamp = await stampOf(folder, ownFiles(folder, Object.keys(metafile.inputs)));
    const link = `//# sourceMappingURL=${basename(target)}.map`;
    return { code: `${code.text.trimEnd()}\n${stamp}\n${link}\n`, map: map.text };
  } catch (error) {
    if (!isBuildFailure(error)) throw error;
    // Its notes are about options of esbuild, which nobody can set here.
    const lines = await formatMessages(
      error.errors.map((one) => ({ ...one, notes: [] })),
      { kind: 'error' },
    );
    throw new ProgramError(
      'BUILD_FAILED',
      `${join(folder, source)} cannot be bundled\n${lines.join('').trim()}`,
      {
        cause: error,
      },
    );
  }
}

/** The SDK is taken from here, whatever folder asks for it: a skill need not lie beside a `node_modules`. */
const ownSdk: Plugin = {
  name: 'skillyard-program',
  setup(build) {
    build.onResolve({ filter: /^@skillyard\/program(?:\/|$)/ }, ({ path }) =>
      path === SDK
        ? { path: SDK_ENTRY }
        : { errors: [{ text: `a program imports "${SDK}" alone, not "${path}"` }] },
    );
  },
};

/** Those of the inputs that the author of the skill wrote, from its folder, sorted. */
function ownFiles(folder: string, inputs: readonly string[]): string[] {
  return inputs
    .map((input) => relative(folder, resolve(folder, input)).split(sep).join('/'))
    .filter((file) => !file.startsWith('../') && !file.includes('node_modules/'))
    .toSorted();
}

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && 'errors' in error && Array.isArray(error.errors);
}
