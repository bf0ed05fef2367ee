import { explainTurn, type QueueConnection, TurnClient } from '@skillyard/queue';
import type { RunningSystem } from './running-system.ts';

/** A system as it is reached from beside it: over its Redis. */
export function redisSystem(connection: QueueConnection): RunningSystem {
  const client = new TurnClient(connection);
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
  };
}
