import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { checkSkill } from '../check/check-skill.ts';
import type { KitDiagnostic } from '../check/kit-diagnostic.ts';
import type { Buildable } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';
import { buildBun, wantBun } from './build-bun.ts';
import { bundleSource } from './bundle-source.ts';
import { copyTree } from './copy-tree.ts';
import { descriptionOf } from './front-matter.ts';
import { hostedFile } from './hosted-file.ts';
import { loadDefinition, type LoadOptions } from './load-definition.ts';
import { packageFile } from './package-file.ts';
import type { SkillProtocol } from './protocol-steps.ts';
import { resolveVersion } from './resolve-version.ts';
import { bunRunScript, nodeRunScript } from './run-script.ts';
import { skillMd } from './skill-md.ts';

/** `node`: one bundle for every platform that has Node. `bun`: an executable a platform, which needs nothing. */
export type BuildMode = 'bun' | 'node';

export interface BuildOptions extends LoadOptions {
  /** The folder of the built skill. What an earlier build left in it is replaced. */
  readonly outDir: string;
  readonly mode: BuildMode;
  /** `session` when absent. */
  readonly protocol?: SkillProtocol;
  /** Of mode `bun`: the platforms, such as `linux-x64`. */
  readonly targets?: readonly string[];
  /** false: builds whatever the check says. */
  readonly check?: boolean;
}

export interface BuiltSkill {
  readonly definition: Buildable;
  /** Absolute. */
  readonly dir: string;
  /** What was written, seen from `dir`, sorted. */
  readonly files: readonly string[];
  /** Of mode `node`: the bundle, seen from `dir`, and the SHA-256 of its bytes. */
  readonly bundle: { readonly file: string; readonly sha256: string } | null;
  readonly diagnostics: readonly KitDiagnostic[];
  /** What is worth saying and kept nothing from being built. */
  readonly warnings: readonly string[];
}

/** What is copied from beside the source. */
const FOLDERS = ['references', 'assets'];

/** The Agent Skills standard has this form; it goes into paths, scripts and YAML as it is. */
const NAME = /^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/;

/**
 * Makes the folder of a skill that runs wherever Node does, from one source file. The same sources give the same bytes,
 * wherever they are built. Nothing is written when the skill is not good.
 * @param entry a file whose default export is a skill or a reference skill
 * @throws KitError BUILD_FAILED, SKILL_DEFINITION_INVALID
 */
export async function buildSkill(entry: string, options: BuildOptions): Promise<BuiltSkill> {
  const { mode, protocol = 'session' } = options;
  const path = resolve(entry);
  const sourceDir = dirname(path);
  if (mode === 'bun') await wantBun(options.targets);
  const { definition, warnings } = await versioned(await loadDefinition(entry, options), sourceDir);
  const { name } = definition;
  if (!NAME.test(name)) {
    const message = `the name "${name}" is none of a skill: write small letters, digits and single hyphens, at most 64`;
    throw new KitError('SKILL_DEFINITION_INVALID', message);
  }
  const diagnostics = checkSkill(definition, sourceDir);
  if (options.check !== false) refuse(definition, diagnostics);
  if (definition.description === undefined) {
    warnings.push('there is no description: agents find a skill by what its description says');
  }
  const text = skillMd(definition, protocol);
  const { code } = await bundleSource({
    contents: wrapperOf(path, definition),
    folder: sourceDir,
    minify: true,
    ...(options.aliases && { aliases: options.aliases }),
  });

  const out = await openOutput(resolve(options.outDir));
  const files: string[] = [];
  const bundle = mode === 'node' ? { file: `bin/${name}.mjs`, sha256: hashOf(code) } : null;
  if (bundle !== null) {
    files.push(await out.write(bundle.file, code));
  } else {
    const { targets } = options;
    const built = await buildBun({ name, code, binDir: join(out.dir, 'bin'), ...(targets && { targets }) });
    files.push(...built.files.map((file) => `bin/${file}`));
    warnings.push(...built.warnings);
  }
  const script = await out.write('scripts/run', mode === 'node' ? nodeRunScript(name) : bunRunScript(name));
  await chmod(join(out.dir, script), 0o755);
  const packageJson = packageFile(definition, await out.read('package.json'));
  if (packageJson.warning !== null) warnings.push(packageJson.warning);
  files.push(script, await out.write('package.json', packageJson.text), await out.write('SKILL.md', text));
  if (definition.kind === 'skill' && bundle !== null) {
    files.push(await out.write('skill.yaml', hostedFile(definition, descriptionOf(definition), bundle)));
  }
  for (const folder of FOLDERS) {
    const copied = await copyTree(join(sourceDir, folder), join(out.dir, folder), { replace: out.isRebuilt });
    files.push(...copied.map((file) => `${folder}/${file}`));
  }
  return { definition, dir: out.dir, files: files.toSorted(), bundle, diagnostics, warnings };
}

/** The definition with the version that it is released under. */
async function versioned(
  definition: Buildable,
  sourceDir: string,
): Promise<{ readonly definition: Buildable; readonly warnings: string[] }> {
  if (!definition.resolveVersion) return { definition, warnings: [] };
  const version = await resolveVersion(sourceDir);
  if (version !== null) return { definition: { ...definition, version }, warnings: [] };
  return {
    definition,
    warnings: [`no package.json above ${sourceDir} has a version: it stays ${definition.version}`],
  };
}

function refuse(definition: Buildable, diagnostics: readonly KitDiagnostic[]): void {
  const errors = diagnostics.filter((one) => one.severity === 'error');
  if (errors.length === 0) return;
  const lines = errors.map(({ rule, message }) => `  ${rule}: ${message}`);
  throw new KitError(
    'BUILD_FAILED',
    `skill "${definition.name}" does not pass its check\n${lines.join('\n')}`,
  );
}

/** The module that the bundle starts with. */
function wrapperOf(path: string, definition: Buildable): string {
  const skill = definition.resolveVersion
    ? `{ ...skill, version: ${JSON.stringify(definition.version)} }`
    : 'skill';
  return [
    `import skill from ${JSON.stringify(path)};`,
    `import { main } from '@skillyard/kit/cli';`,
    `await main(${skill});`,
  ].join('\n');
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function unusable(dir: string, cause: Error): KitError {
  const message = `nothing can be built into ${dir}: ${cause.message}; name a folder that may be written to`;
  return new KitError('BUILD_FAILED', message, { cause });
}

interface Output {
  readonly dir: string;
  /** An earlier build stands there: what is left of it goes. Files of anybody else stay. */
  readonly isRebuilt: boolean;
  /** @returns the file as it was given */
  write(file: string, content: string | Uint8Array): Promise<string>;
  read(file: string): Promise<string | null>;
}

/** @throws KitError BUILD_FAILED if it cannot be a folder of ours */
async function openOutput(dir: string): Promise<Output> {
  const read = (file: string): Promise<string | null> =>
    readFile(join(dir, file), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw unusable(dir, error);
    });
  const script = await read('scripts/run');
  const isRebuilt = script?.includes('skillyard-kit build') === true;
  if (!isRebuilt && (script !== null || (await read('SKILL.md')) !== null)) {
    const message = `${dir} has a skill that was not built here, and it would be overwritten; name another folder, or remove it first`;
    throw new KitError('BUILD_FAILED', message);
  }
  if (isRebuilt) {
    for (const stale of ['bin', 'skill.yaml']) await rm(join(dir, stale), { recursive: true, force: true });
  }
  for (const folder of ['bin', 'scripts']) {
    await mkdir(join(dir, folder), { recursive: true }).catch((error: Error) => {
      throw unusable(dir, error);
    });
  }
  return {
    dir,
    isRebuilt,
    read,
    async write(file, content) {
      await writeFile(join(dir, file), content);
      return file;
    },
  };
}
