import type { CodeRound, Json, JsonObject, Question } from '@skillyard/contracts';
import { KitError } from '../kit-error.ts';

/** One step as a memo keeps it: what a run takes up again. */
export interface KeptRecord {
  readonly step: string;
  readonly response: Json;
  readonly actionResult?: Json;
}

/** What a turn waits for, with all that is needed when it comes: no prompt is made twice. */
export type Pending =
  /** The answer of a model. `refusals`: answers to this step that were not taken. */
  | {
      readonly for: 'reply';
      readonly step: string;
      readonly instruction: string;
      readonly schema: JsonObject | null;
      readonly refusals: number;
    }
  /** The answers of people, before the step is answered. */
  | {
      readonly for: 'answers';
      readonly step: string;
      readonly instruction: string;
      readonly schema: JsonObject | null;
      readonly questions: readonly Question[];
      /** The step asks for nothing else. */
      readonly alone: boolean;
    }
  /** What the action of a step gives, whose answer has been taken. */
  | { readonly for: 'action'; readonly step: string; readonly raw: Json; readonly input: Json };

/** What is remembered of one decision. */
export interface TurnMemo {
  /** Of the first decision only: as the turn gave them, before their schema. */
  readonly params?: Json;
  /** The steps that were recorded on the way to it. */
  readonly records: readonly KeptRecord[];
  /** null: the turn has ended. */
  readonly pending: Pending | null;
}

/** What is remembered of all decisions so far. */
export interface Remembered {
  readonly params: unknown;
  readonly records: readonly KeptRecord[];
  readonly pending: Pending | null;
  /** A model was asked before: it knows what the turn is about. */
  readonly hasTalked: boolean;
}

/** Puts the memos of a turn together. There is at least one. */
export function remember(rounds: readonly CodeRound[]): Remembered {
  // The memo is what we gave, kept by others: nobody else writes it.
  const memos = rounds.map(({ memo }) => memo as unknown as TurnMemo);
  return {
    params: memos[0]?.params,
    records: memos.flatMap(({ records }) => records),
    pending: memos.at(-1)?.pending ?? null,
    hasTalked: memos.some(({ pending }) => pending?.for === 'reply'),
  };
}

/**
 * What a turn waits for, when it is what has come.
 * @throws KitError PROTOCOL when it is not
 */
export function pendingFor<For extends Pending['for']>(
  { pending }: Remembered,
  wanted: For,
): Extract<Pending, { for: For }> {
  if (pending?.for === wanted) return pending as Extract<Pending, { for: For }>;
  throw new KitError(
    'PROTOCOL',
    `the turn waits for ${pending?.for ?? 'nothing'}, and was given its ${wanted}`,
  );
}
