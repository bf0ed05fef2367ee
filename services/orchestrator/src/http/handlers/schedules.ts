import { SkillyardError } from '@skillyard/contracts';
import type { Schedules } from '@skillyard/queue';
import { type Submission, tenantOf } from '../../submission.ts';
import type { Handlers } from '../handler.ts';

type ScheduleHandlers = Pick<Handlers, 'listSchedules' | 'putSchedule' | 'deleteSchedule'>;

/** The operations on schedules. */
export function scheduleHandlers(
  schedules: Schedules,
  submission: Pick<Submission, 'check'>,
): ScheduleHandlers {
  return {
    listSchedules: async ({ caller, query }) => ({
      schedules: await schedules.list(tenantOf(caller, query.tenant)),
    }),
    putSchedule: async ({ caller, params, body }) => {
      const { cron, timezone = 'UTC', turn } = body;
      const tenant = tenantOf(caller, body.tenant);
      // Whatever would refuse its turns now is said now; what comes later is noted on the schedule.
      await submission.check(caller, { ...turn, tenant });
      return schedules.put({
        scheduleId: params.scheduleId,
        tenant,
        cron,
        timezone,
        turn,
        createdBy: caller.subject,
        roles: caller.roles,
      });
    },
    deleteSchedule: async ({ caller, params, query }) => {
      const { scheduleId } = params;
      if (await schedules.delete(tenantOf(caller, query.tenant), scheduleId)) return undefined;
      const message = `there is no schedule "${scheduleId}"; GET /v1/schedules lists those there are`;
      throw new SkillyardError('SCHEDULE_NOT_FOUND', message, { details: { schedule: scheduleId } });
    },
  };
}
