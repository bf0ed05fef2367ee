import type { CodeEvent, Directive, Divergence } from '@skillyard/contracts';
import { ProgramError } from '../program-error.ts';
import { whereTheyDiffer } from '../protocol/differ.ts';
import { journalText } from '../protocol/journal-text.ts';
import type { EnvelopeText, JournalEntry, ProgramOutput } from '../protocol/program-output.ts';
import { readOutput } from '../protocol/read-output.ts';
import { endDirective } from './end-directive.ts';
import { directiveFor, type Refusal } from './operation-directive.ts';
import { keptMemo, type ProgramMemo, rememberProgram, type RememberedProgram } from './program-memo.ts';
import type { DecidedProgram, ProgramTurn } from './program-turn.ts';
import { type Operation, readOperation } from './read-operation.ts';
import { type ReadResult, resultOfAnswers, resultOfCommand, resultOfReply } from './read-result.ts';

/** Answers to one operation that are refused before its turn fails. */
const MOST_REFUSALS = 3;
/** What is decided lies in the state of its turn, in its jobs and in its trace. */
const MOST_CHARS = 4 * 1024 * 1024;
/** All that was decided and answered is read for each decision, by a worker that others need, too. */
const MOST_JOURNAL_CHARS = 64 * 1024 * 1024;

/**
 * Decides what a turn does next: the program is run from the top with everything that was answered.
 *
 * P1 It is worked out from the rounds and the event alone; the same gives the same, as far as the program does.
 * P2 Nothing is done here but running the program: an operation is asked for, and what came of it is the next event.
 * P3 Requests and results are kept as the texts that the program printed and was given.
 * @throws ProgramError OUTPUT_INVALID for what the program printed, and whatever `launch` throws
 */
export async function decideProgram(turn: ProgramTurn): Promise<DecidedProgram> {
  return new DecidingProgram(turn).decide();
}

type Answer = Exclude<CodeEvent, { type: 'start' }>;

/** One decision. */
class DecidingProgram {
  readonly #turn: ProgramTurn;
  readonly #remembered: RememberedProgram;

  constructor(turn: ProgramTurn) {
    this.#turn = turn;
    this.#remembered = rememberProgram(turn.rounds);
  }

  async decide(): Promise<DecidedProgram> {
    const { event } = this.#turn;
    if (event.type === 'start') return this.#goOn(null);
    const operation = this.#underWay(event);
    if (event.type === 'answered' && event.answers === null)
      return this.#fail('QUESTION_EXPIRED', `nobody answered "${operation.id}" in time.`);
    const taken = readEvent(event, operation);
    if ('result' in taken) return this.#goOn(taken.result);
    return this.#refuse(operation, { problem: taken.problem, isInConversation: !isRefused(event) });
  }

  /** The operation that an event answers. */
  #underWay(event: Answer): Operation {
    const { pending } = this.#remembered;
    const operation = pending === null ? null : readOperation(pending);
    if (operation !== null && ANSWERED_BY[operation.kind] === event.type) return operation;
    throw new ProgramError(
      'REJECTED',
      `the turn waits for ${operation?.kind ?? 'nothing'}, and was told that something was ${event.type}`,
    );
  }

  #refuse(operation: Operation, refusal: Refusal): DecidedProgram {
    const { id, kind } = operation;
    const { problem } = refusal;
    // It is never run again for this.
    if (kind === 'run_command')
      return this.#fail('CODE_FAILED', `what came of the command "${id}" is no result of one: ${problem}`);
    const refusals = this.#remembered.refusals + 1;
    if (refusals > MOST_REFUSALS) {
      const reason = `"${id}": ${refusals} answers cannot be taken, the last one because ${problem}`;
      return this.#fail(kind === 'agent_task' ? 'MODEL_ANSWER_INVALID' : 'ANSWER_INVALID', reason);
    }
    const directive = directiveFor(operation, this.#turn.settings, refusal);
    return this.#conclude(directive, { result: null, request: null, refusals });
  }

  /** @param result of the operation that was under way; null when none was */
  async #goOn(result: string | null): Promise<DecidedProgram> {
    const { operations, pending } = this.#remembered;
    const answered = operations.map(({ request, result: text }) => entryOf(request, text));
    const entries = result === null || pending === null ? answered : [...answered, entryOf(pending, result)];
    const output = await this.#run(entries);
    switch (output.type) {
      case 'request': {
        const { request } = this.#own(output.envelope, entries.length + 1);
        const directive = directiveFor(readOperation(request.text), this.#turn.settings);
        return this.#conclude(directive, { result, request: request.text, refusals: 0 });
      }
      case 'terminal': {
        const directive = endDirective(output.terminal, output.requirements);
        return this.#conclude(directive, { result, request: null, refusals: 0 });
      }
      case 'diverged':
        return this.#diverge(output.divergence, entries);
    }
  }

  async #run(entries: readonly JournalEntry[]): Promise<ProgramOutput> {
    const { runId, skill, rounds, event } = this.#turn;
    const first = rounds[0]?.event ?? event;
    const vars = first.type === 'start' ? first.vars : {};
    const input = Object.keys(vars).length === 0 ? null : JSON.stringify(vars);
    const journal = journalText({ runId, skill, entries, input });
    if (journal.length > MOST_JOURNAL_CHARS)
      throw new ProgramError(
        'OUTPUT_INVALID',
        `the ${entries.length} operations so far have ${journal.length} characters, and a turn takes ${MOST_JOURNAL_CHARS}. Keep large values in files, and say where they are`,
      );
    return readOutput(await this.#turn.launch(journal));
  }

  /** Refuses a request that belongs to another run, or to another place in this one: its answer would be taken for that of another operation. */
  #own(envelope: EnvelopeText, sequence: number): EnvelopeText {
    const { runId, skill } = this.#turn;
    const wrong = [
      ['run', envelope.runId, runId],
      ['skill', envelope.skill.name, skill.name],
      ['skill digest', envelope.skill.digest, skill.digest],
      ['sequence', envelope.sequence, sequence],
    ].find(([, given, own]) => given !== own);
    if (wrong === undefined) return envelope;
    const [what, given, own] = wrong;
    throw new ProgramError(
      'OUTPUT_INVALID',
      `invalid program output: the request "${envelope.request.id}" has the ${what} ${given}, and that of its turn is ${own}. Give back what the journal says, and number operations in their order`,
    );
  }

  async #diverge(
    { sequence, expected_digest, got_digest }: Divergence,
    entries: readonly JournalEntry[],
  ): Promise<DecidedProgram> {
    const recorded = entries[sequence - 1];
    if (recorded === undefined)
      throw new ProgramError(
        'OUTPUT_INVALID',
        `invalid program output: it diverged at operation ${sequence}, and ${entries.length} were answered`,
      );
    const where = await this.#whereItDiffers(recorded.request, entries.slice(0, sequence - 1));
    return this.#fail(
      'PROGRAM_DIVERGED',
      `run again, the program diverged at operation ${sequence} ("${recorded.requestId}"): ${where}. Recorded ${expected_digest}, now ${got_digest}. Let clocks, random numbers, files and the environment come from operations. Redrive the turn when what the program read is as it was.`,
    );
  }

  /** Runs the program once more, without the answer that it did not find its way to. */
  async #whereItDiffers(recorded: string, before: readonly JournalEntry[]): Promise<string> {
    try {
      const now = await this.#run(before);
      if (now.type === 'request') return whereTheyDiffer(recorded, now.envelope.request.text);
      return `run once more, it printed "${now.type}" in its place`;
    } catch (error) {
      if (!ProgramError.is(error)) throw error;
      return `where is not known, for run once more it failed (${error.message})`;
    }
  }

  #fail(code: string, message: string): DecidedProgram {
    return this.#conclude({ do: 'end', output: null, error: { code, message } }, NOTHING);
  }

  #conclude(directive: Directive, memo: ProgramMemo): DecidedProgram {
    const decided = { decision: { directive, observed: [], passed: [] }, memo: keptMemo(memo) };
    const { length } = JSON.stringify(decided);
    if (length <= MOST_CHARS) return decided;
    const what = directive.do === 'end' ? 'how it ended' : `its operation "${directive.step}"`;
    throw new ProgramError(
      'OUTPUT_INVALID',
      `invalid program output: ${what} and the answer before it have ${length} characters, and a turn takes ${MOST_CHARS}. Keep large values in files, and say where they are`,
    );
  }
}

/** What an event says of the operation that it answers. */
function readEvent(event: Answer, { schema }: Operation): ReadResult {
  switch (event.type) {
    case 'reply':
      return event.error === null ? resultOfReply(event.text, schema) : { problem: event.error.message };
    case 'answered':
      return resultOfAnswers(event.answers ?? [], schema);
    case 'acted':
      return resultOfCommand(event.value);
  }
}

/** Whether the endpoint could not hold its model to the schema: such an answer is not in the conversation. */
function isRefused(event: Answer): boolean {
  return event.type === 'reply' && event.error !== null;
}

function entryOf(request: string, result: string): JournalEntry {
  return { requestId: readOperation(request).id, request, result };
}

const ANSWERED_BY = { ask_user: 'answered', agent_task: 'reply', run_command: 'acted' } as const;
const NOTHING: ProgramMemo = { result: null, request: null, refusals: 0 };
