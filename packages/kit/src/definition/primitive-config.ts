/** What authors give to the methods of `act`. */
import type { StandardSchemaV1 } from '@standard-schema/spec';

export interface Option {
  readonly value: string;
  readonly label: string;
  readonly description?: string | undefined;
  readonly preview?: string | undefined;
}

export type AskUserConfig =
  | { readonly type: 'open'; readonly question: string }
  | ({ readonly type: 'structured' } & SurveyQuestion);

export interface SurveyQuestion {
  readonly question: string;
  /** At most 12 characters. */
  readonly header?: string | undefined;
  /** 2 to 4 of them. */
  readonly options: readonly Option[];
  readonly multiSelect?: boolean | undefined;
}

export interface ConfirmConfig {
  readonly message: string;
  readonly destructive?: boolean | undefined;
  readonly defaultAnswer?: 'yes' | 'no' | undefined;
}

export interface PlanConfig {
  readonly summary: string;
  readonly steps: readonly string[];
}

export interface ChecklistConfig {
  readonly create: readonly { readonly title: string; readonly status: string }[];
}

export interface SubagentConfig {
  readonly prompt: string;
  readonly output: StandardSchemaV1;
  readonly allowRecursion?: boolean | undefined;
}
