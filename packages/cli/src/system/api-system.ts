import { SkillyardClient } from '@skillyard/client';
import { SkillyardError } from '@skillyard/contracts';
import type { RunningSystem } from './running-system.ts';

/** What the API takes for the name of a file: of a longer path its end says most. */
const MAX_FILE_NAME = 200;

/**
 * A system as it is reached from anywhere: over its HTTP API.
 * @param apiKey undefined for an installation without access control
 * @throws SkillyardError INPUT_INVALID if the address is none
 */
export function apiSystem(url: string, apiKey: string | undefined): RunningSystem {
  const client = new SkillyardClient({ url: checkUrl(url), apiKey });
  return {
    submit: async ({ text, file, mode, fanOut, vars }) => {
      const asked = { ...(mode && { mode }), ...(fanOut && { fanOut }) };
      const { turnId } = await client.submitTurn({
        body: { skill: { text, file: file.slice(-MAX_FILE_NAME) }, vars: { ...vars }, ...asked },
      });
      return turnId;
    },
    watch: (turnId, signal) => client.watchTurn({ turnId, signal }),
    cancel: async (turnId, reason) => {
      const body = reason === undefined ? {} : { reason };
      return (await client.cancelTurn({ turnId, body })).cancelled;
    },
    explain: (turnId) => client.explainTurn({ turnId }),
    questions: (cursor) => client.listQuestions(cursor === undefined ? {} : { cursor }),
    questionsOf: async (turnId) => ({ ...(await client.listTurnQuestions({ turnId })), next: null }),
    answer: async (turnId, jobId, answers) => {
      await client.answerQuestion({ turnId, jobId, body: { answers } });
    },
  };
}

function checkUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (isPlain && /^https?:$/.test(url.protocol)) return text;
  // Not quoted: what is wrong may be a key in it.
  const message =
    'the address of the API is not of the form https://host; the key belongs into SKILLYARD_API_KEY';
  throw new SkillyardError('INPUT_INVALID', message);
}
