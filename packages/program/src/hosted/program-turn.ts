import type { CodeEvent, CodeRound, Decision, Json, ProgramSkill } from '@skillyard/contracts';
import type { HostedSettings } from './hosted-settings.ts';

/** What has happened in a turn, and the program that says what happens now. */
export interface ProgramTurn {
  readonly rounds: readonly CodeRound[];
  readonly event: CodeEvent;
  /** Of the journal, and so of what the program prints. */
  readonly runId: string;
  readonly skill: ProgramSkill;
  readonly settings: HostedSettings;
  /**
   * Runs the program once.
   * @param journal the text of its journal
   * @returns what it printed
   */
  readonly launch: (journal: string) => Promise<string>;
}

/** What was decided, and what has to be remembered of it. */
export interface DecidedProgram {
  readonly decision: Decision;
  readonly memo: Json;
}
