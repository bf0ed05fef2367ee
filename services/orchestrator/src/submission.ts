import { createHash } from 'node:crypto';
import {
  ALL_TENANTS,
  type Caller,
  DEFAULT_PRIORITY,
  DEFAULT_TENANT,
  type SkillChoice,
  SkillyardError,
  turnId,
  type TurnId,
  type TurnOrigin,
  type TurnRequestBody,
} from '@skillyard/contracts';
import { type Mode, modeOf, type Skill } from '@skillyard/engine';
import type { StoredTurn, TurnClient, TurnStore } from '@skillyard/queue';
import type { SkillShelf } from './skills/skill-shelf.ts';

/** What a submission asks others. Each of them throws when it says no. */
export interface SubmissionParts {
  readonly client: Pick<TurnClient, 'submitTurn'>;
  readonly store: Pick<TurnStore, 'read'>;
  readonly skills: Pick<SkillShelf, 'find' | 'accept'>;
  /** @throws SkillyardError TENANT_LIMIT */
  readonly admit: (tenant: string) => Promise<void>;
  /** @throws SkillyardError POLICY_DENIED */
  readonly checkPolicy: (skill: Skill, roles: readonly string[], mode: Mode) => void | Promise<void>;
  /** @throws SkillyardError INPUT_INVALID */
  readonly checkWebhook: (address: string) => void;
}

/** What makes a submission the same as an earlier one, and where it comes from. */
export interface SubmissionContext {
  /** Of the caller: the turn it made is given again. */
  readonly idempotencyKey?: string | null;
  /** The span of the caller (W3C Trace Context). */
  readonly traceparent?: string | null;
  /** Of who knows what is the same without a key: a schedule. */
  readonly turnId?: TurnId;
}

/** Submits turns for callers: the one way in for the API and for schedules. */
export class Submission {
  readonly #parts: SubmissionParts;

  constructor(parts: SubmissionParts) {
    this.#parts = parts;
  }

  /**
   * Submits a turn; a repeat, by its idempotency key, gives the turn of the first time, whatever became of its skill.
   * @throws SkillRefused SKILL_INVALID; SkillyardError SKILL_NOT_FOUND, SKILL_TOO_LARGE, POLICY_DENIED, TENANT_LIMIT,
   *   FORBIDDEN for another tenant, INPUT_INVALID, IDEMPOTENCY_CONFLICT
   */
  async submit(caller: Caller, body: TurnRequestBody, context: SubmissionContext = {}): Promise<TurnId> {
    const tenant = tenantOf(caller, body.tenant);
    const id = context.turnId ?? repeatableId(tenant, context.idempotencyKey);
    const requestHash = hashOf(body);
    const earlier = id === undefined ? null : await this.#parts.store.read(id);
    if (earlier !== null) return sameTurn(earlier, requestHash, context);
    const { text, file, skill } = await this.check(caller, body);
    const { mode, fanOut, input, vars } = body;
    await this.#parts.admit(tenant);
    const submitted = await this.#parts.client.submitTurn({
      ...(id !== undefined && { turnId: id }),
      skillText: text,
      file,
      skillName: skill.name,
      ...(mode !== undefined && { mode }),
      vars: { ...vars, ...(input !== undefined && { input }) },
      ...(fanOut !== undefined && { settings: { fanOut } }),
      origin: originOf(caller, body, context.traceparent),
      requestHash,
    });
    if (id === undefined) return submitted;
    // Two of them at once: only one was taken, and this may be the other.
    const taken = await this.#parts.store.read(id);
    return taken === null ? submitted : sameTurn(taken, requestHash, context);
  }

  /**
   * Looks whether a turn would be let in, without submitting it.
   * @returns the skill that it would run
   * @throws SkillyardError as `submit`, TENANT_LIMIT excepted
   */
  async check(caller: Caller, body: TurnRequestBody): Promise<ChosenSkill> {
    const tenant = tenantOf(caller, body.tenant);
    const { text, file, skill } = await this.#choose(tenant, body.skill);
    await this.#parts.checkPolicy(skill, caller.roles, modeOf(skill, body.mode));
    if (body.webhook !== undefined) this.#parts.checkWebhook(body.webhook);
    return { text, file, skill };
  }

  async #choose(tenant: string, choice: SkillChoice): Promise<ChosenSkill> {
    const { skills } = this.#parts;
    if ('name' in choice) return skills.find(tenant, choice.name, choice.version);
    const { text, file = 'skill.yaml' } = choice;
    return { text, file, skill: await skills.accept(text, file) };
  }
}

/** A skill that a turn is submitted with. */
export interface ChosenSkill {
  readonly text: string;
  /** What messages call it. */
  readonly file: string;
  readonly skill: Skill;
}

/**
 * Whose a turn or schedule is: the caller's, or of whom the caller names when it acts for all.
 * @throws SkillyardError FORBIDDEN if the caller is of another tenant
 */
export function tenantOf(caller: Caller, asked: string | undefined): string {
  if (caller.tenant === ALL_TENANTS) return asked ?? DEFAULT_TENANT;
  if (asked === undefined || asked === caller.tenant) return caller.tenant;
  const message = `the key is of the tenant "${caller.tenant}" and may not act for "${asked}"; leave \`tenant\` out`;
  throw new SkillyardError('FORBIDDEN', message, { details: { tenant: asked } });
}

/** Anything else in the header is none, and not kept: it would go with every job (W3C Trace Context, 3.2). */
const TRACEPARENT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

function originOf(
  caller: Caller,
  { tenant, labels = {}, priority = DEFAULT_PRIORITY, deadlineMs, webhook }: TurnRequestBody,
  traceparent: string | null | undefined,
): TurnOrigin {
  return {
    tenant: tenantOf(caller, tenant),
    subject: caller.subject,
    roles: caller.roles,
    labels,
    priority,
    ...(deadlineMs !== undefined && { deadlineMs }),
    ...(webhook !== undefined && { webhook }),
    ...(typeof traceparent === 'string' && TRACEPARENT.test(traceparent) && { traceparent }),
  };
}

/** The id of the turn that a key of a tenant stands for. */
function repeatableId(tenant: string, key: string | null | undefined): TurnId | undefined {
  if (key === null || key === undefined) return undefined;
  return turnId(`k${createHash('sha256').update(`${tenant}\n${key}`).digest('hex').slice(0, 40)}`);
}

function sameTurn(
  { view, requestHash }: StoredTurn,
  wanted: string,
  { turnId: isKnown }: SubmissionContext,
): TurnId {
  if (isKnown !== undefined || requestHash === wanted) return view.turnId;
  const message = `the idempotency key was used for the turn ${view.turnId}, which was asked for with another body; take a new key`;
  throw new SkillyardError('IDEMPOTENCY_CONFLICT', message, { details: { turnId: view.turnId } });
}

/** The same for the same request, in whatever order its keys were written. */
function hashOf(body: TurnRequestBody): string {
  const ordered = JSON.stringify(body, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return createHash('sha256').update(ordered).digest('hex').slice(0, 40);
}
