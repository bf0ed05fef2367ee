import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { isExecutable, isOnPath } from '../adapters/agents.ts';
import { checkBundle } from '../build/build-program.ts';
import { hashIn } from '../build/hosted-file.ts';
import { readHostedSettings } from '../hosted/hosted-settings.ts';
import { ProgramError } from '../program-error.ts';
import { skillDigest } from '../skill/skill-digest.ts';
import { metadataProblems, readMetadata } from '../skill/skill-metadata.ts';
import { type Manifest, programCommand, readManifest } from '../supervisor/manifest.ts';

/** What is started by an interpreter. */
const SCRIPT = /^[^-].*\.(?:[cm]?[jt]s|py)$/;

type Environment = Readonly<Record<string, string | undefined>>;

/** What authors of programs in Rust must know: the digest is that of the protocol. */
export const RUST_NOTE =
  'the digest of a skill does not cover .rs files and Cargo.toml: a change of them alone is not noticed by runs under way';

/** What keeps a skill from being run, each in words, and what its author should know. */
export interface WorkflowReport {
  readonly name: string;
  /** Empty: not said. */
  readonly language: string;
  /** Whether there is something to build. */
  readonly hasSource: boolean;
  readonly problems: readonly string[];
  readonly notes: readonly string[];
}

/**
 * Looks at a skill without running it.
 * @param folder absolute
 */
export async function examineWorkflow(folder: string, env: Environment): Promise<WorkflowReport> {
  const problems: string[] = [];
  /** What one part of a skill cannot do without is no reason to be silent about the others. */
  const collect = async <T>(look: () => Promise<T>): Promise<T | null> => {
    try {
      return await look();
    } catch (error) {
      if (!ProgramError.is(error)) throw error;
      problems.push(error.advice);
      return null;
    }
  };
  const metadata = await collect(() => readMetadata(folder));
  if (metadata !== null) problems.push(...metadataProblems(metadata, folder));
  const manifest = await collect(() => readManifest(folder));
  if (manifest !== null) {
    await collect(async () => readHostedSettings(manifest.hosted));
    await collect(() => checkBundle(folder, manifest));
  }
  // A manifest that cannot be read was said above; it is no missing one.
  if (manifest !== null || !existsSync(join(folder, 'skill.json'))) {
    await collect(() => checkLauncher(folder, manifest, env));
  }
  await collect(() => checkHostedFile(folder));
  const language = manifest?.language ?? '';
  return {
    name: metadata?.name || basename(folder),
    language,
    hasSource: (manifest?.source ?? null) !== null,
    problems,
    notes: notesOf(folder, language),
  };
}

/** @throws ProgramError SKILL_INVALID when what the manifest starts is not there */
async function checkLauncher(folder: string, manifest: Manifest | null, env: Environment): Promise<void> {
  const [program, ...args] = await programCommand(folder, manifest, env);
  const isPath = program.includes('/');
  if (!(isPath ? isExecutable(resolve(folder, program)) : isOnPath(program, env))) {
    const where = isPath ? 'is not there, or may not be started' : 'is not on the PATH';
    throw new ProgramError('SKILL_INVALID', `launcher: "${program}" ${where}`);
  }
  const script = manifest?.source === null ? args.find((arg) => SCRIPT.test(arg)) : undefined;
  if (script !== undefined && !existsSync(resolve(folder, script)))
    throw new ProgramError('SKILL_INVALID', `launcher: ${program} is given "${script}", which is not there`);
}

/** @throws ProgramError SKILL_INVALID when the platform would look for other sources than these */
async function checkHostedFile(folder: string): Promise<void> {
  const path = join(folder, 'skill.yaml');
  if (!existsSync(path)) return;
  const hash = hashIn(await readFile(path, 'utf8'));
  if (hash === null || `sha256:${hash}` === (await skillDigest(folder))) return;
  const message = 'skill.yaml names other sources than these; run skillyard program build';
  throw new ProgramError('SKILL_INVALID', message);
}

function notesOf(folder: string, language: string): string[] {
  const notes = language === 'rust' ? [RUST_NOTE] : [];
  if (existsSync(join(folder, 'node_modules'))) {
    notes.push(
      'node_modules is a part of the digest of the skill: install packages above its folder, or build a bundle',
    );
  }
  return notes;
}
