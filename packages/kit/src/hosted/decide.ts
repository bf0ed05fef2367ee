import type { CodeEvent, CodeRound, Decision, Json } from '@skillyard/contracts';
import type { References, SkillDefinition } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';

/** What a hosted skill needs of the process it runs in. */
export interface HostedOptions {
  /** Reads files that lie beside the skill; absent: there are none. */
  readonly references?: References;
  /** Takes a line about something that is odd and does no harm. */
  readonly warn?: (line: string) => void;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** What was decided, and what has to be remembered of it. */
export interface Decided {
  readonly decision: Decision;
  readonly memo: Json;
}

/** Decides what a turn does next. */
export async function decide(
  definition: SkillDefinition,
  _turn: { readonly rounds: readonly CodeRound[]; readonly event: CodeEvent },
  _options: HostedOptions = {},
): Promise<Decided> {
  throw new KitError('PROTOCOL', `the skill "${definition.name}" cannot be hosted yet`);
}
