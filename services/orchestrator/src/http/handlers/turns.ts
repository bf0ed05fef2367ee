import { ALL_TENANTS, type Caller, SkillyardError, type TurnQuery } from '@skillyard/contracts';
import type {
  JobHistory,
  Operator,
  TurnClient,
  TurnIndex,
  TurnListQuery,
  TurnStore,
  WatchedEvent,
} from '@skillyard/queue';
import { describeSkill } from '../../skills/describe-skill.ts';
import type { SkillShelf } from '../../skills/skill-shelf.ts';
import { type Submission, tenantOf } from '../../submission.ts';
import type { Handlers, StreamMessage } from '../handler.ts';
import type { OwnTurns } from '../own-turns.ts';
import { turnResource, turnSummary, type TurnTraces } from '../turn-resource.ts';

export interface TurnHandlerParts {
  readonly client: Pick<TurnClient, 'readTurn' | 'watchTurn' | 'cancelTurn'>;
  readonly own: OwnTurns;
  readonly store: Pick<TurnStore, 'skillText'>;
  readonly index: Pick<TurnIndex, 'list'>;
  readonly operator: Pick<Operator, 'explainTurn'>;
  readonly submission: Pick<Submission, 'submit'>;
  readonly skills: Pick<SkillShelf, 'accept'>;
  /** null where none is kept. */
  readonly history: Pick<JobHistory, 'read'> | null;
  readonly traces: TurnTraces;
}

type TurnOperation =
  | 'submitTurn'
  | 'listTurns'
  | 'getTurn'
  | 'watchTurn'
  | 'listTurnJobs'
  | 'getTurnSkill'
  | 'explainTurn'
  | 'cancelTurn';

/** The operations on turns. */
export function turnHandlers(parts: TurnHandlerParts): Pick<Handlers, TurnOperation> {
  const { client, own, store, index, operator, submission, skills, history, traces } = parts;
  return {
    submitTurn: async ({ caller, body, idempotencyKey, traceparent }) => {
      checkIdempotencyKey(idempotencyKey);
      const turnId = await submission.submit(caller, body, { idempotencyKey, traceparent });
      return turnResource(await client.readTurn(turnId), traces);
    },
    listTurns: async ({ caller, query }) => {
      const { turns, next } = await index.list(listQuery(caller, query));
      return { turns: turns.map(turnSummary), next };
    },
    getTurn: async ({ caller, params }) => turnResource((await own.read(caller, params.turnId)).view, traces),
    watchTurn: async ({ caller, params, lastEventId, signal }) => {
      const after = readPosition(lastEventId);
      const { turnId } = (await own.read(caller, params.turnId)).view;
      return messages(client.watchTurn(turnId, { ...(after !== null && { after }), signal }));
    },
    listTurnJobs: async ({ caller, params, query }) => {
      const { turnId } = (await own.read(caller, params.turnId)).view;
      if (history === null) return { kept: false, jobs: [], more: 0 };
      const { jobs, more } = await history.read(turnId, query.path);
      return { kept: true, jobs: [...jobs], more };
    },
    getTurnSkill: async ({ caller, params }) => {
      const { skill: hash, file } = await own.read(caller, params.turnId);
      const text = await store.skillText(hash);
      if (text === null) throw skillIsGone(file);
      const skill = await skills.accept(text, file);
      const { name, skillVersion: version } = skill;
      // Where the turn had it from is not kept: what it runs came with its submission.
      return describeSkill({ name, file, text, hash, version, origin: 'uploaded', skill });
    },
    explainTurn: async ({ caller, params }) => {
      const { turnId } = (await own.read(caller, params.turnId)).view;
      const { jobs, ...explanation } = await operator.explainTurn(turnId);
      return { ...explanation, jobs: [...jobs] };
    },
    cancelTurn: async ({ caller, params, body }) => {
      const { turnId } = (await own.read(caller, params.turnId)).view;
      return { cancelled: await client.cancelTurn(turnId, body.reason) };
    },
  };
}

async function* messages(events: AsyncIterable<WatchedEvent>): AsyncGenerator<StreamMessage<'watchTurn'>> {
  for await (const { id, ...data } of events) yield { id, data };
}

const MAX_KEY_LENGTH = 200;

function checkIdempotencyKey(key: string | null): void {
  if (key === null || key.length <= MAX_KEY_LENGTH) return;
  const message = `the header Idempotency-Key has ${key.length} characters; ${MAX_KEY_LENGTH} are let through`;
  throw new SkillyardError('INPUT_INVALID', message);
}

/** @throws SkillyardError INPUT_INVALID if it is no id of an event */
function readPosition(lastEventId: string | null): string | null {
  if (lastEventId === null || /^\d{1,15}-\d{1,15}$/.test(lastEventId)) return lastEventId;
  const message =
    'the header Last-Event-ID is not the id of an event of this turn; leave it out to begin anew';
  throw new SkillyardError('INPUT_INVALID', message);
}

function listQuery(caller: Caller, { tenant, label, ...query }: TurnQuery): TurnListQuery {
  const isAll = caller.tenant === ALL_TENANTS && tenant === undefined;
  return {
    ...query,
    tenants: isAll ? 'all' : [tenantOf(caller, tenant)],
    ...(label !== undefined && { labels: readLabels(label) }),
  };
}

/** @throws SkillyardError INPUT_INVALID */
function readLabels(labels: readonly string[]): Record<string, string> {
  const pairs = labels.map((text) => {
    const at = text.indexOf('=');
    if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
    throw new SkillyardError('INPUT_INVALID', 'label of the query must have the form name=value');
  });
  return Object.fromEntries(pairs) as Record<string, string>;
}

function skillIsGone(file: string): SkillyardError {
  return new SkillyardError('SKILL_NOT_FOUND', `the text of ${file} is no longer stored`);
}
