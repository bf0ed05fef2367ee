import type { SessionHeader, SessionLine } from './session-line.ts';

/** What is written of the actions of an advance before its result is, so that a crash in between repeats none of them. */
export interface ActionJournal {
  /** The answer that the actions belong to, and how many answers had been accepted before it. */
  readonly answer: { readonly after: number; readonly step: string; readonly output: unknown };
  /** In the order in which they ran. */
  readonly actions: readonly JournaledAction[];
}

export interface JournaledAction {
  readonly step: string;
  /** false: it was begun, and nothing is known of its end. */
  readonly finished: boolean;
  readonly result?: unknown;
}

/** Sessions by id. What a store gives survives the process, and a session is with one holder at a time. */
export interface SessionStore {
  /**
   * Begins a session, which is held then.
   * @param definition what `definitionHash` makes of the skill
   * @throws KitError SESSION_UNSAFE when where sessions lie may not be trusted
   */
  create(header: Omit<SessionHeader, 'type' | 'sessionId'>, definition: string): HeldSession;
  /**
   * Takes up a session. Nobody else can until it is released.
   * @throws KitError SESSION_UNKNOWN, SESSION_BUSY, SESSION_UNSAFE
   */
  hold(id: string): HeldSession;
  /**
   * Forgets a session. One that is not there, or cannot be, is no error.
   * @throws KitError SESSION_BUSY, SESSION_UNSAFE
   */
  remove(id: string): void;
}

export interface HeldSession {
  readonly id: string;
  /** Where it lies: the absolute path of a file. */
  readonly file: string;
  readonly header: SessionHeader;
  /** The hash of the definition it was begun with; null when that is not known. */
  readonly definition: string | null;
  /** All lines, the header too; null stands for one that cannot be read. Line n is at n - 1. */
  readonly lines: readonly (SessionLine | null)[];
  /**
   * Writes lines, all or none of them as far as a reader can see, and returns when they are durable.
   * @returns the number of the last one, from 1
   */
  append(lines: readonly SessionLine[]): number;
  journal(): ActionJournal | null;
  /** Durable when it returns. null: nothing is under way. */
  writeJournal(journal: ActionJournal | null): void;
  release(): void;
}
