import { Type, type Static } from 'typebox';
import { DEFAULT_TENANT, Tenant } from './access.ts';

/** Short facts to find turns by. */
export const Labels = Type.Record(
  Type.String({ pattern: '^[a-zA-Z0-9][a-zA-Z0-9_./-]{0,62}$' }),
  Type.String({ maxLength: 200 }),
  { maxProperties: 20, additionalProperties: false },
);
export type Labels = Static<typeof Labels>;

/** Which of the turns of a tenant goes first when its jobs have to wait: 9 before 0. */
export const TurnPriority = Type.Integer({ minimum: 0, maximum: 9 });

/** Whose turn it is and what was asked for with it. Fixed when it is submitted; delegated turns have that of their parent. */
export const TurnOrigin = Type.Object({
  tenant: Tenant,
  subject: Type.String({ description: 'Who submitted it.' }),
  roles: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'What the policy lets it reach; null: it was submitted past the API, and no policy holds.',
  }),
  labels: Labels,
  priority: TurnPriority,
  deadlineMs: Type.Optional(Type.Integer({ description: 'When it is cancelled, in ms since the epoch.' })),
  webhook: Type.Optional(Type.String({ description: 'Told when it ends.' })),
  traceparent: Type.Optional(Type.String({ description: 'The span that asked for it (W3C Trace Context).' })),
});
export type TurnOrigin = Static<typeof TurnOrigin>;

export const DEFAULT_PRIORITY = 5;

/** The origin of a turn that came without one: from the command line. */
export const NO_ORIGIN: TurnOrigin = {
  tenant: DEFAULT_TENANT,
  subject: '',
  roles: null,
  labels: {},
  priority: DEFAULT_PRIORITY,
};
