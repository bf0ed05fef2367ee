import type { Handshake, References, SkillDefinition } from '../definition/skill-definition.ts';
import type { WorkflowResult } from '../workflow/result.ts';
import type { SessionStore } from './session-store.ts';

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

/** Begins a session and writes its first result. */
export async function startSession(
  _definition: SkillDefinition,
  _store: SessionStore,
  _start: SessionStart,
): Promise<SessionReply> {
  await Promise.resolve();
  throw new Error('not yet');
}

/**
 * Takes an answer to the current step of a session and writes what follows from it.
 * @param answer null: the agent has appended it to the file
 * @throws KitError SESSION_UNKNOWN, SESSION_BUSY, SESSION_UNSAFE, PROTOCOL, and what the workflow throws
 */
export async function advanceSession(
  _definition: SkillDefinition,
  _store: SessionStore,
  _id: string,
  _answer: SessionAnswer | null,
  _options: SessionOptions,
): Promise<SessionReply> {
  await Promise.resolve();
  throw new Error('not yet');
}
