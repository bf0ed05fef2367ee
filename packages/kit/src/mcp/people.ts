import {
  acceptedContent,
  type ClientCapabilities,
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  type InputRequiredResult,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Answers, Json, JsonObject, Question } from '@skillyard/contracts';
import type { PromptPiece, PromptReturn } from '../definition/prompt-piece.ts';
import { questionsOf } from '../hosted/questions-of.ts';
import { responseOfAnswers } from '../hosted/response-of-answers.ts';
import { toPieces } from '../prompt/render-pieces.ts';
import { answersOf, formOf } from './question-form.ts';
import type { PromptReply } from './reply.ts';

/** A prompt that a session waits with. */
export interface WaitingPrompt {
  readonly reply: PromptReply;
  /** Unrendered. */
  readonly prompt: PromptReturn | undefined;
}

/** What comes back with the answers. It is the client's: nothing is decided by it that the client could not ask for. */
interface Round {
  readonly step: string;
  readonly round: number;
}

/** Between the rounds a client may give up, and its SDK does after eight. */
const MAX_ROUNDS = 6;

const FORM = 'form';

/** The round that a request continues; null when it begins anew. */
export function roundOf(context: ServerContext): Round | null {
  const state = context.mcpReq.requestState();
  if (typeof state !== 'string') {
    return null;
  }
  const at = state.indexOf(' ');
  const round = Number(state.slice(0, at));
  return Number.isSafeInteger(round) && at > 0 ? { round, step: state.slice(at + 1) } : null;
}

/**
 * Asks people through the client, past the agent, what a prompt asks them and nothing else.
 * @param find is called only where people can be asked: to find a prompt unrendered, its function runs again
 * @returns null when the prompt has to go to the agent: the client shows no forms, there is more to do than to ask, or it is
 * not plain what response the answers make
 */
export function askPeople(
  server: McpServer,
  context: ServerContext,
  find: () => WaitingPrompt | null,
  round: number,
): InputRequiredResult | null {
  if (round >= MAX_ROUNDS || !showsForms(server, context)) {
    return null;
  }
  const waiting = find();
  // Without a response the answers would go nowhere: it is the agent that has to hear them.
  if (waiting === null || waiting.reply.schema === null) {
    return null;
  }
  const { reply, prompt } = waiting;
  const pieces = toPieces(prompt);
  const { questions, alone } = questionsOf(pieces);
  const isPlain = responseOfAnswers(reply.schema as JsonObject, questions, questions.map(example));
  if (!alone || isPlain === undefined) {
    return null;
  }
  return inputRequired({
    inputRequests: { [FORM]: inputRequired.elicit(formOf(viewsOf(pieces), questions)) },
    requestState: `${round + 1} ${reply.step}`,
  });
}

/** The response that the answers of people make; undefined when they gave none. */
export function responseOfPeople(context: ServerContext, { reply, prompt }: WaitingPrompt): Json | undefined {
  const content = acceptedContent(context.mcpReq.inputResponses, FORM);
  const { questions } = questionsOf(toPieces(prompt));
  const answers = content === undefined ? null : answersOf(questions, content);
  return answers === null
    ? undefined
    : responseOfAnswers(reply.schema as JsonObject | null, questions, answers);
}

/** What people are to see before they answer. */
function viewsOf(pieces: readonly PromptPiece[]): string[] {
  return pieces.flatMap((piece) => (typeof piece !== 'string' && piece.kind === 'view' ? [piece.text] : []));
}

function showsForms(server: McpServer, context: ServerContext): boolean {
  const envelope: Readonly<Record<string, unknown>> = context.mcpReq.envelope ?? {};
  const declared = envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  const { elicitation } =
    declared ??
    // oxlint-disable-next-line typescript/no-deprecated -- a client of 2025 says it once, when it connects
    server.server.getClientCapabilities() ??
    {};
  // A client that names no mode shows forms: that is how it was before there were others.
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

/** Any answer, to see whether its place in the response is plain. */
function example({ kind, options = [], multiSelect }: Question): Answers[number] {
  const [first] = options;
  switch (kind) {
    case 'text':
      return '';
    case 'confirm':
      return true;
    case 'plan':
      return { approved: true };
    case 'choice':
      return multiSelect === true ? [first?.value ?? ''] : (first?.value ?? '');
  }
}
