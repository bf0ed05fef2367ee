import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { KitError } from '../kit-error.ts';

const BUN_TARGETS = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'];
const DEFAULT_TARGETS = ['darwin-arm64', 'linux-x64'];
const TIMEOUT_MS = 300_000;

const run = promisify(execFile);

export interface BunBuild {
  readonly name: string;
  /** The bundle that is compiled. */
  readonly code: Uint8Array;
  /** Where the executables go. */
  readonly binDir: string;
  /** Absent: a Mac with its own processor and Linux on x64. */
  readonly targets?: readonly string[];
}

/** The platform of this process. */
export function ownTarget(): string {
  return `${process.platform}-${process.arch}`;
}

/** @throws KitError BUILD_FAILED for a platform that cannot be built for, and without bun */
export async function wantBun(targets: readonly string[] = []): Promise<void> {
  const unknown = targets.find((target) => !BUN_TARGETS.includes(target));
  if (unknown !== undefined) {
    throw new KitError(
      'BUILD_FAILED',
      `target "${unknown}" is unknown; write some of ${BUN_TARGETS.join(', ')}`,
    );
  }
  await run('bun', ['--version'], { timeout: TIMEOUT_MS }).catch((error: unknown) => {
    throw new KitError(
      'BUILD_FAILED',
      '--mode bun needs bun, which cannot be run here; install it, or write --mode node for one bundle that Node runs',
      { cause: error },
    );
  });
}

/**
 * Compiles a bundle into an executable a platform. One that fails is told of; the others are of use without it.
 * @returns the names of the executables and what failed
 * @throws KitError BUILD_FAILED when none can be built
 */
export async function buildBun({
  name,
  code,
  binDir,
  targets = DEFAULT_TARGETS,
}: BunBuild): Promise<{ readonly files: string[]; readonly warnings: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'skillyard-kit-'));
  const files: string[] = [];
  const warnings: string[] = [];
  try {
    const source = join(folder, `${name}.mjs`);
    await writeFile(source, code);
    for (const target of targets) {
      const file = `${name}-${target}`;
      const args = ['build', '--compile', `--target=bun-${target}`, source, '--outfile', join(binDir, file)];
      try {
        await run('bun', args, { cwd: folder, timeout: TIMEOUT_MS });
        files.push(file);
      } catch (error) {
        warnings.push(`nothing is built for ${target}: ${lastLine(error)}`);
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  if (files.length === 0) throw new KitError('BUILD_FAILED', `bun has built nothing\n${warnings.join('\n')}`);
  return { files, warnings };
}

function lastLine(error: unknown): string {
  const text = (error as { readonly stderr?: string }).stderr ?? String(error);
  return text.trim().split('\n').at(-1) ?? '';
}
