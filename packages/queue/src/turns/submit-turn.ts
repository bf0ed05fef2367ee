import { skillHash } from '@skillyard/catalog';
import { DEFAULT_TENANT, NO_ORIGIN, type TurnId, type TurnOrigin } from '@skillyard/contracts';
import type { Mode, TurnSettings } from '@skillyard/engine';
import type { QueueConnection } from '../connection.ts';
import { postStart } from '../results/post-result.ts';
import { SUBMIT } from '../scripts/submit-script.ts';
import { enterTurn, reenterTurn } from './list-turn.ts';
import type { Lineage } from './stored-turn.ts';

/** A turn to be run. */
export interface TurnRequest {
  readonly turnId: TurnId;
  /** The source text of the skill. It is kept by the hash of its content, once for all turns that run it. */
  readonly skillText: string;
  /** What messages call the file. */
  readonly file: string;
  /** Which description of the skill runs; absent: the one that is in effect. */
  readonly mode?: Mode;
  readonly vars: Readonly<Record<string, string>>;
  /** What differs from the orchestrator's configuration. */
  readonly settings?: Partial<TurnSettings>;
  /** Where a delegated turn comes from. */
  readonly lineage?: Lineage;
  /** The name of the skill, for lists; absent: what its file is called. */
  readonly skillName?: string;
  /** Whose turn it is; absent: nobody's in particular. */
  readonly origin?: TurnOrigin;
  /** Of everything that was asked for: a second submission of the id can be told from a repeat. */
  readonly requestHash?: string;
}

/** A skill nobody used for this long is forgotten; every submission and every start counts as use. */
const SKILL_TTL_SECONDS = 90 * 24 * 60 * 60;

/**
 * Submits a turn.
 * @returns whether it was new; a turn of this id that was submitted before is left as it is, and started if it was not
 */
export async function submitTurn(
  connection: QueueConnection,
  request: TurnRequest,
  nowMs: number,
): Promise<boolean> {
  const { keys, redis } = connection;
  const { turnId, lineage } = request;
  const skill = skillHash(request.skillText);
  const tenant = request.origin?.tenant ?? DEFAULT_TENANT;
  // Q8: in the live set first. Whatever happens next, a sweep finds the turn.
  const isListed = lineage?.parent == null;
  const place = { turnId, submittedAtMs: nowMs };
  const [isEntered] = await Promise.all([
    isListed && enterTurn(connection, tenant, place),
    redis.zadd(keys.shard(keys.shardOf(turnId)).live, 'NX', nowMs, turnId),
    keepSkill(connection, skill, request.skillText),
  ]);
  const fields: string[] = ['skill', skill, 'file', request.file, 'submittedAtMs', String(nowMs)];
  fields.push('vars', JSON.stringify(request.vars), 'settings', JSON.stringify(request.settings ?? {}));
  if (request.mode !== undefined) fields.push('mode', request.mode);
  if (request.skillName !== undefined) fields.push('name', request.skillName);
  if (request.requestHash !== undefined) fields.push('request', request.requestHash);
  if (request.origin !== undefined && request.origin !== NO_ORIGIN)
    fields.push('origin', JSON.stringify(request.origin));
  if (lineage?.parent)
    fields.push('parent', lineage.parent, 'depth', String(lineage.depth), 'root', lineage.root);
  const isNew = (await SUBMIT.run(redis, { keys: [keys.turn(turnId).meta], args: fields })) === 1;
  // The list had its id: of an earlier turn, which is kept no longer.
  if (isNew && isListed && !isEntered) await reenterTurn(connection, tenant, place);
  await postStart(connection, turnId);
  return isNew;
}

/** Most skills are there already: then their text need not travel, nor be written to disk, once more. */
async function keepSkill({ redis, keys }: QueueConnection, hash: string, text: string): Promise<void> {
  const isThere = await redis.expire(keys.skill(hash), SKILL_TTL_SECONDS);
  if (isThere === 0) await redis.set(keys.skill(hash), text, 'EX', SKILL_TTL_SECONDS);
}
