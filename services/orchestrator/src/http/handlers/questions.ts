import { ALL_TENANTS, type JobId } from '@skillyard/contracts';
import type { Questions } from '@skillyard/queue';
import { tenantOf } from '../../submission.ts';
import type { Handlers } from '../handler.ts';
import type { OwnTurns } from '../own-turns.ts';

export interface QuestionHandlerParts {
  readonly questions: Pick<Questions, 'list' | 'ofTurn' | 'answer'>;
  readonly own: OwnTurns;
}

type QuestionOperation = 'listQuestions' | 'listTurnQuestions' | 'answerQuestion';

/** The operations on questions that turns ask people. */
export function questionHandlers({
  questions,
  own,
}: QuestionHandlerParts): Pick<Handlers, QuestionOperation> {
  return {
    listQuestions: async ({ caller, query: { tenant, ...query } }) => {
      const isAll = caller.tenant === ALL_TENANTS && tenant === undefined;
      return questions.list({ ...query, tenants: isAll ? 'all' : [tenantOf(caller, tenant)] });
    },
    listTurnQuestions: async ({ caller, params }) => {
      const { turnId } = (await own.read(caller, params.turnId)).view;
      return { questions: await questions.ofTurn(turnId) };
    },
    answerQuestion: async ({ caller, params, body }) => {
      const { turnId } = (await own.read(caller, params.turnId)).view;
      const jobId = params.jobId as JobId;
      await questions.answer(turnId, jobId, body.answers);
      return { turnId, jobId };
    },
  };
}
