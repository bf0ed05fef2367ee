import { type Caller, type ScheduleFiring, SkillyardError, type TurnRequestBody } from '@skillyard/contracts';
import {
  type DueFiring,
  type QueueConnection,
  Schedules,
  startSchedulesWorker,
  type StoredSchedule,
} from '@skillyard/queue';
import type { Logger } from './logger.ts';
import type { Submission } from './submission.ts';

interface FiringParts {
  readonly schedules: Schedules;
  readonly submission: Pick<Submission, 'submit'>;
  readonly log: Logger;
}

/** The label that turns of a schedule have, with its id. */
const LABEL = 'schedule';

/** Submits the turns of schedules. Every orchestrator does; each time is told to one of them. */
export async function fireSchedules(
  connection: QueueConnection,
  lockMs: number,
  parts: Omit<FiringParts, 'schedules'>,
): Promise<{ close(): Promise<void> }> {
  const schedules = new Schedules(connection);
  const worker = await startSchedulesWorker({
    connection,
    lockMs,
    fire: (due) => fire({ ...parts, schedules }, due),
    onError: (error) => parts.log.warn({ reason: error.message }, 'schedules'),
  });
  return {
    close: async () => {
      await worker.close();
      await schedules.close();
    },
  };
}

/**
 * Submits the turn that is due, with the skill as it is now. What refuses it is noted and not tried again: the next time
 * comes by itself.
 */
async function fire({ schedules, submission, log }: FiringParts, due: DueFiring): Promise<void> {
  const { tenant, scheduleId, atMs, turnId } = due;
  const schedule = await schedules.read(tenant, scheduleId);
  if (schedule === null) {
    // Whoever deleted it, or failed to make it, did not get further than half of it.
    await schedules.delete(tenant, scheduleId);
    return;
  }
  const note = (firing: Omit<ScheduleFiring, 'atMs'>): Promise<void> =>
    schedules.noteFiring(tenant, scheduleId, { atMs, ...firing });
  try {
    await submission.submit(callerOf(schedule), bodyOf(schedule), { turnId });
  } catch (error) {
    if (!SkillyardError.is(error) || error.code === 'REDIS_UNAVAILABLE') throw error;
    const { code, message } = error;
    log.error({ tenant, schedule: scheduleId, code, reason: message }, 'schedule refused');
    await note({ turnId: null, error: { code, message } });
    return;
  }
  log.info({ tenant, schedule: scheduleId, turnId }, 'schedule submitted a turn');
  await note({ turnId, error: null });
}

/** Its turns are of who made it, and may reach what that one might then. */
function callerOf({ tenant, createdBy, roles }: StoredSchedule): Caller {
  return { tenant, subject: createdBy, scopes: ['submit'], roles: [...roles] };
}

function bodyOf({ scheduleId, turn }: StoredSchedule): TurnRequestBody {
  return { ...turn, labels: { [LABEL]: scheduleId, ...turn.labels } };
}
