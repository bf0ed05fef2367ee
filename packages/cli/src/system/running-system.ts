import type {
  Answers,
  JobId,
  QuestionPage,
  TraceEvent,
  TurnExplanation,
  TurnId,
  TurnOutcome,
} from '@skillyard/contracts';
import type { Mode } from '@skillyard/engine';

/** A turn as the command line submits it. */
interface Submission {
  readonly text: string;
  /** What messages call the skill. */
  readonly file: string;
  readonly mode?: Mode | undefined;
  readonly fanOut?: 'auto' | 'off' | undefined;
  readonly vars: Readonly<Record<string, string>>;
}

/** A system that runs turns, however a command reaches it. All methods throw SkillyardError. */
export interface RunningSystem {
  submit(turn: Submission): Promise<TurnId>;
  /**
   * What happens to a turn, up to its end; the last event has the outcome, unless that is no longer known.
   * @param signal ends the watching, without an error
   */
  watch(
    turnId: TurnId,
    signal: AbortSignal,
  ): AsyncIterable<{ readonly event: TraceEvent; readonly outcome?: TurnOutcome | undefined }>;
  /** @returns false when the turn had ended already */
  cancel(turnId: TurnId, reason: string | undefined): Promise<boolean>;
  explain(turnId: TurnId): Promise<TurnExplanation>;
  /** Open questions of all turns that may be seen. @param after `next` of the page before */
  questions(after: string | undefined): Promise<QuestionPage>;
  questionsOf(turnId: TurnId): Promise<QuestionPage>;
  answer(turnId: TurnId, jobId: JobId, answers: Answers): Promise<void>;
}
