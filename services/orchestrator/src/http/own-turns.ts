import { type Caller, type JobId, SkillyardError, turnId, turnOfJob } from '@skillyard/contracts';
import type { StoredTurn, TurnStore } from '@skillyard/queue';
import { maySee } from './access/permission.ts';

/** The turns of a caller. One of another tenant is answered like one that never was: no hint that it is there. */
export class OwnTurns {
  readonly #store: Pick<TurnStore, 'read'>;

  constructor(store: Pick<TurnStore, 'read'>) {
    this.#store = store;
  }

  /** @throws SkillyardError TURN_NOT_FOUND */
  async read(caller: Caller, id: string): Promise<StoredTurn> {
    const stored = await this.#store.read(turnId(id));
    if (stored !== null && maySee(caller, stored.view.origin.tenant)) return stored;
    const message = `There is no turn "${id}". It was never submitted, or it ended so long ago that it was forgotten.`;
    throw new SkillyardError('TURN_NOT_FOUND', message, { details: { turnId: id } });
  }

  /** Looks whether a job is of a turn of the caller. @throws SkillyardError JOB_NOT_FOUND */
  async checkJob(caller: Caller, jobId: JobId): Promise<void> {
    const stored = await this.#store.read(turnOfJob(jobId));
    // Nobody knows any more whose it was: then it is for who acts for all.
    if (maySee(caller, stored === null ? NOBODY : stored.view.origin.tenant)) return;
    const message = `There is no failed job "${jobId}", or no longer.`;
    throw new SkillyardError('JOB_NOT_FOUND', message, { details: { jobId } });
  }
}

/** No tenant has this name. */
const NOBODY = '';
