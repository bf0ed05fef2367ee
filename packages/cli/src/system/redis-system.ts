import { explainTurn, type QueueConnection, Questions, TurnClient } from '@skillyard/queue';
import type { RunningSystem } from './running-system.ts';

/** A system as it is reached from beside it: over its Redis. */
export function redisSystem(connection: QueueConnection): RunningSystem {
  const client = new TurnClient(connection);
  const questions = new Questions(connection);
  return {
    submit: ({ text, fanOut, mode, ...turn }) =>
      client.submitTurn({
        ...turn,
        skillText: text,
        ...(mode && { mode }),
        ...(fanOut && { settings: { fanOut } }),
      }),
    watch: (turnId, signal) => client.watchTurn(turnId, { signal }),
    cancel: (turnId, reason) => client.cancelTurn(turnId, reason),
    explain: async (turnId) => {
      const turn = await explainTurn(connection, turnId);
      return { ...turn, jobs: [...turn.jobs] };
    },
    questions: (cursor) => questions.list({ tenants: 'all', ...(cursor !== undefined && { cursor }) }),
    questionsOf: async (turnId) => {
      await client.readTurn(turnId);
      return { questions: await questions.ofTurn(turnId), next: null };
    },
    answer: async (turnId, jobId, answers) => {
      await client.readTurn(turnId);
      await questions.answer(turnId, jobId, answers);
    },
  };
}
