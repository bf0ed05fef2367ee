import type {
  AskUserConfig,
  ChecklistConfig,
  ConfirmConfig,
  PlanConfig,
  SubagentConfig,
  SurveyQuestion,
} from './primitive-config.ts';

/** A directive, as the author gave it. How it is written is the business of `primitives/`. */
export type Primitive =
  | ({ readonly kind: 'askUser' } & AskUserConfig)
  | ({ readonly kind: 'confirm' } & ConfirmConfig)
  | ({ readonly kind: 'plan' } & PlanConfig)
  | ({ readonly kind: 'checklist' } & ChecklistConfig)
  | ({ readonly kind: 'subagent' } & SubagentConfig)
  | { readonly kind: 'survey'; readonly questions: readonly SurveyQuestion[] };

export interface ActSegment {
  readonly kind: 'act';
  readonly primitive: Primitive;
}

/** Persona or framing. */
export interface SystemSegment {
  readonly kind: 'system';
  readonly text: string;
}

/** Text that code has rendered, to be shown as it is. */
export interface ViewSegment {
  readonly kind: 'view';
  readonly label?: string;
  readonly text: string;
}

/** A part of a prompt; a plain string is an instruction. */
export type PromptPiece = string | SystemSegment | ActSegment | ViewSegment;

export type PromptReturn = PromptPiece | readonly PromptPiece[];

/** Makes a system segment, as a template tag or as a function. */
export interface SystemTag {
  (text: string): SystemSegment;
  (strings: TemplateStringsArray, ...values: readonly unknown[]): SystemSegment;
}
