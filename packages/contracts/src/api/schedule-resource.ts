import { Type, type Static } from 'typebox';
import type { TurnId } from '../ids.ts';
import { Tenant } from './access.ts';
import { TurnRequestBody } from './turn-resource.ts';

const { deadlineMs: _deadline, tenant: _tenant, ...repeated } = TurnRequestBody.properties;

/** Turns that are submitted by the clock. */
export const ScheduleBody = Type.Object(
  {
    cron: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Five fields, or six with seconds first.',
    }),
    timezone: Type.Optional(
      Type.String({ maxLength: 60, description: 'As the IANA names it; UTC when absent.' }),
    ),
    turn: Type.Object(repeated, { additionalProperties: false }),
    tenant: Type.Optional(Tenant),
  },
  { additionalProperties: false },
);
export type ScheduleBody = Static<typeof ScheduleBody>;

/** What became of a time that a schedule named. */
export const ScheduleFiring = Type.Object({
  atMs: Type.Integer({ description: 'The time that was named; it was met later if nothing ran then.' }),
  turnId: Type.Union([Type.Unsafe<TurnId>(Type.String()), Type.Null()]),
  error: Type.Union([Type.Object({ code: Type.String(), message: Type.String() }), Type.Null()], {
    description: 'Why no turn was submitted.',
  }),
});
export type ScheduleFiring = Static<typeof ScheduleFiring>;

export const Schedule = Type.Object({
  scheduleId: Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,49}$' }),
  tenant: Tenant,
  cron: Type.String(),
  timezone: Type.String(),
  turn: ScheduleBody.properties.turn,
  createdBy: Type.String(),
  nextAtMs: Type.Union([Type.Integer(), Type.Null()]),
  last: Type.Union([ScheduleFiring, Type.Null()]),
});
export type Schedule = Static<typeof Schedule>;

export const ScheduleList = Type.Object({ schedules: Type.Array(Schedule) });
export type ScheduleList = Static<typeof ScheduleList>;
