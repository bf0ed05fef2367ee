import { holdFolder } from '@skillyard/processes';
import { ProgramError } from '../program-error.ts';
import { privateFolder, type RunFiles } from './run-files.ts';

/**
 * Takes a run for this caller alone, or refuses at once. Death gives it back.
 * @returns gives it back
 * @throws ProgramError LOCKED
 */
export function lockRun(files: RunFiles): () => void {
  privateFolder(files.lock);
  const hold = holdFolder(files.lock);
  if ('release' in hold) return hold.release;
  const { heldBy } = hold;
  const by = heldBy === null ? '' : ` (process ${heldBy.pid} on ${heldBy.host})`;
  throw new ProgramError(
    'LOCKED',
    `run ${files.runId} is held by another supervisor${by}: wait until it has ended, then inspect the run before you go on`,
  );
}
