import { isDeepStrictEqual } from 'node:util';
import type { Handshake, References, SkillDefinition } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';
import { isError, type ErrorResult, type WorkflowResult } from '../workflow/result.ts';
import { ActionInterrupted, ActionLedger } from './action-ledger.ts';
import { definitionHash } from './definition-hash.ts';
import type { OutputLine } from './session-line.ts';
import { readPosition, type SessionPosition, type SettledAnswer } from './session-position.ts';
import type { HeldSession, SessionStore } from './session-store.ts';
import { linesOf, openSessionRun, passActions, type SessionRun } from './session-run.ts';
import { findStep } from './step-lookup.ts';

export interface SessionOptions {
  readonly references: References;
  readonly warn: (line: string) => void;
  /** Aborted when the process is asked to end. */
  readonly signal?: AbortSignal;
}

export interface SessionStart extends SessionOptions {
  readonly params: unknown;
  readonly handshake: Handshake;
  readonly outputMode: string;
  /** Started directly, past the dispatcher of a composite. */
  readonly subskill?: string;
}

export interface SessionReply {
  readonly sessionId: string;
  /** The absolute path of the session file. */
  readonly file: string;
  readonly result: WorkflowResult;
  /** The number of the line that holds the result, from 1. */
  readonly line: number;
  /** The answer had been accepted before: nothing was run, and this is the result of then. */
  readonly repeated: boolean;
}

export interface SessionAnswer {
  readonly step: string;
  readonly output: unknown;
}

/**
 * Begins a session and writes its first result.
 * @throws KitError SESSION_UNSAFE, and what the workflow throws; a session without a result is left then, for who wants to see
 * what was asked
 */
export async function startSession(
  definition: SkillDefinition,
  store: SessionStore,
  start: SessionStart,
): Promise<SessionReply> {
  const { handshake } = start;
  const session = store.create(
    {
      skill: definition.name,
      host: handshake.host,
      ...(handshake.toolsAvailable.length === 0 ? {} : { tools: handshake.toolsAvailable }),
      ...(handshake.isSubagent ? { isSubagent: true } : {}),
      params: start.params,
      createdAt: new Date().toISOString(),
      outputMode: start.outputMode,
    },
    definitionHash(definition),
  );
  try {
    const opened = openSessionRun(definition, session.header, start.subskill ?? null, start);
    const { run, passed } = opened;
    const signal = start.signal ?? new AbortController().signal;
    const first = await run.start(signal);
    const result = await passActions(opened, first, (accepted) => run.perform(accepted, signal));
    const line = session.append(linesOf(passed, result));
    await run.flush();
    return reply(session, { result, line }, false);
  } finally {
    session.release();
  }
}

/**
 * Takes an answer to the current step of a session and writes what follows from it.
 *
 * 1. One answer is taken at a time: a second caller is refused.
 * 2. An answer that was accepted is not taken again: its result is given once more. Only a step that leads to itself may be
 *    given the same answer twice.
 * 3. An answer without a result, as a crash leaves it, is taken again; its finished actions are not.
 * @param answer null: the agent has appended it to the file
 * @throws KitError SESSION_UNKNOWN, SESSION_BUSY, SESSION_UNSAFE, PROTOCOL, and what the workflow throws
 */
export async function advanceSession(
  definition: SkillDefinition,
  store: SessionStore,
  id: string,
  answer: SessionAnswer | null,
  options: SessionOptions,
): Promise<SessionReply> {
  const session = store.hold(id);
  try {
    checkDefinition(definition, session);
    const position = readPosition(definition, session.lines);
    if (position.last === null)
      throw new KitError(
        'SESSION_UNKNOWN',
        `session "${id}" has no prompt, its start failed: begin a new one`,
      );
    const due = answerDue(session, position, answer);
    if (due.settled !== undefined) return reply(session, due.settled, true);
    const refusal = refuse(definition, position, due.answer.step);
    if (due.isNew) session.append([outputLine(due.answer)]);
    if (refusal !== null) {
      const line = session.append(linesOf([], refusal));
      return reply(session, { result: refusal, line }, false);
    }
    const opened = openSessionRun(definition, session.header, position.direct, options);
    const result = await take(opened, session, { position, answer: due.answer, options });
    const line = session.append(linesOf(isError(result) ? [] : opened.passed, result));
    // Only what is accepted ends the matter: after an error the same answer may come again, whose actions are known.
    if (!isError(result)) session.writeJournal(null);
    await opened.run.flush();
    return reply(session, { result, line }, false);
  } finally {
    session.release();
  }
}

interface Due {
  readonly settled?: undefined;
  readonly answer: SessionAnswer;
  /** It is not in the file yet. */
  readonly isNew: boolean;
}

/** Which answer is to be taken, or the result of one that was. */
function answerDue(
  session: HeldSession,
  position: SessionPosition,
  given: SessionAnswer | null,
): Due | { readonly settled: SettledAnswer } {
  const { pending, last, lastAccepted } = position;
  const candidate = given === null ? appendedAnswer(session, position) : qualify(given, position);
  if (candidate === null) return { settled: last as SettledAnswer };
  const isRepeat = candidate.step !== position.expected && isSame(lastAccepted?.answer, candidate);
  if (isRepeat) return { settled: lastAccepted as SettledAnswer };
  return { answer: candidate, isNew: given !== null && !isSame(pending, given) };
}

/** null: there is nothing new since the last result. */
function appendedAnswer(session: HeldSession, position: SessionPosition): SessionAnswer | null {
  if (session.header.outputMode !== 'file')
    throw new KitError(
      'PROTOCOL',
      '--step and --output are required: the session was begun with another output mode than file',
    );
  const { pending, unreadable, last } = position;
  if (pending !== null) return qualify({ step: pending.step, output: pending.output }, position);
  if (unreadable !== null)
    throw new KitError(
      'PROTOCOL',
      `line ${unreadable} of ${session.file} is no answer: append one line of JSON with type output, step and output`,
    );
  if (last !== null && last.answer !== null) return null;
  throw new KitError(
    'PROTOCOL',
    `there is no answer in ${session.file}: append one line of JSON with type output, step and output, or pass --step and --output`,
  );
}

/** In a session of one sub-skill the prefix of its steps may be left out. */
function qualify(answer: SessionAnswer, { direct }: SessionPosition): SessionAnswer {
  if (direct === null || answer.step.includes('/')) return answer;
  return { ...answer, step: `${direct}/${answer.step}` };
}

function isSame(a: SessionAnswer | null | undefined, b: SessionAnswer): boolean {
  return a !== null && a !== undefined && a.step === b.step && isDeepStrictEqual(a.output, b.output);
}

/** What is wrong with answering this step now; null also for a step that is none, about which the run has its own words. */
function refuse(definition: SkillDefinition, position: SessionPosition, step: string): ErrorResult | null {
  if (step === position.expected || findStep(definition, step) === undefined) return null;
  const message = position.ended
    ? `The session has ended: step "${step}" cannot be answered any more`
    : `Step "${step}" is not the current step: answer "${position.expected ?? ''}"`;
  return { kind: 'error', error: 'validation', step, message, retry: false };
}

function outputLine({ step, output }: SessionAnswer): OutputLine {
  return { type: 'output', step, output };
}

interface Taking {
  readonly position: SessionPosition;
  readonly answer: SessionAnswer;
  readonly options: SessionOptions;
}

async function take(
  opened: SessionRun,
  session: HeldSession,
  { position, answer, options }: Taking,
): Promise<WorkflowResult> {
  const { run } = opened;
  run.replay(position.history);
  const accepted = run.accept(answer.step, answer.output);
  if ('kind' in accepted) return accepted;
  const signal = options.signal ?? new AbortController().signal;
  const ledger = new ActionLedger(session, {
    after: position.accepted,
    step: answer.step,
    output: answer.output,
  });
  try {
    const actionResult = await ledger.perform(run, accepted, signal);
    const first = await run.complete(accepted, actionResult, signal);
    return await passActions(opened, first, (gate) => ledger.perform(run, gate, signal));
  } catch (error) {
    if (!(error instanceof ActionInterrupted)) throw error;
    return { kind: 'error', error: 'validation', step: answer.step, message: error.message, retry: true };
  }
}

/** @throws KitError SESSION_UNKNOWN when the session is of another skill, or of what this one was */
function checkDefinition(definition: SkillDefinition, session: HeldSession): void {
  const { skill } = session.header;
  if (skill !== definition.name)
    throw new KitError(
      'SESSION_UNKNOWN',
      `session "${session.id}" is of the skill "${skill}", not of "${definition.name}"`,
    );
  if (session.definition !== null && session.definition !== definitionHash(definition))
    throw new KitError(
      'SESSION_UNKNOWN',
      `session "${session.id}" was begun with another version of "${skill}", whose steps may differ: begin a new one`,
    );
}

function reply(
  session: HeldSession,
  settled: { readonly result: WorkflowResult; readonly line: number },
  repeated: boolean,
): SessionReply {
  const { result, line } = settled;
  return { sessionId: session.id, file: session.file, result, line, repeated };
}
