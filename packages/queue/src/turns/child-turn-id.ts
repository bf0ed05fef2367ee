import { createHash } from 'node:crypto';
import { type JobId, turnId, type TurnId } from '@skillyard/contracts';

/**
 * The id of the turn that answers a delegate job: the job's own, in the letters a turn id may have. A long one keeps
 * its beginning for the eye and a hash for uniqueness.
 */
export function childTurnId(job: JobId): TurnId {
  const plain = job.replaceAll('.', '_');
  if (plain.length <= 64) return turnId(plain);
  const hash = createHash('sha256').update(job).digest('hex').slice(0, 20);
  return turnId(`${plain.slice(0, 43)}_${hash}`);
}
