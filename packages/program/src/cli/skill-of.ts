import { resolve } from 'node:path';
import { checkBundle } from '../build/build-program.ts';
import { ProgramError } from '../program-error.ts';
import { readManifest } from '../supervisor/manifest.ts';
import type { Supervision } from '../supervisor/supervision.ts';
import type { VerbCall } from './verb.ts';

/** The flag that says whose runs are meant. */
export const SKILL_FLAG = { skill: 'text' } as const;

/** The skill that `--skill` names; it is where we are when nothing is said. */
export function skillOf({ flags, io }: VerbCall): Supervision {
  return supervisionOf(resolve(io.cwd, flags.text('skill') ?? '.'), io);
}

/** @param folder of the skill, absolute */
export function supervisionOf(folder: string, io: VerbCall['io']): Supervision {
  return {
    folder,
    env: io.env,
    onStderr: (text) => io.stderr(text),
    ...(io.signal && { signal: io.signal }),
  };
}

/**
 * Before a run begins: later the sources are bound to it.
 * @param folder of the skill, absolute
 * @throws ProgramError SKILL_INVALID when the program has to be built first
 */
export async function checkBuilt(folder: string): Promise<void> {
  const manifest = await readManifest(folder);
  if (manifest !== null) await checkBundle(folder, manifest);
}

/** @throws ProgramError USAGE unless there is exactly one word */
export function oneRun({ words }: VerbCall, otherwise: string): string {
  const [runId, ...others] = words;
  if (runId === undefined || others.length > 0) throw new ProgramError('USAGE', otherwise);
  return runId;
}
