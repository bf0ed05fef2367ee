import type { Position } from '@skillyard/contracts';
import {
  compileProgram,
  type InstructionCode,
  type Mode,
  modeOf,
  type Skill,
  type Workflow,
} from '@skillyard/engine';
import { allSteps, stepsOf } from '../subject.ts';
import { type CostEnvelope, costOf, type ModelFacts, type TokenGuess } from './cost.ts';
import {
  type UnreachableStep,
  unreachableSteps,
  type UnreadVariable,
  unreadVariables,
} from './dead-parts.ts';
import { type Effects, reachOfSkill, type StepReach } from './reach.ts';
import { type WorstCase, worstCase, worstCaseOfCode, worstCaseOfPlaybook } from './worst-case.ts';

/** What an installation says, as far as a pre-flight needs it. */
export interface PreflightInput {
  readonly effects: Effects;
  readonly modelOf: (model: string) => ModelFacts;
  readonly guess: TokenGuess;
}

/** A skill that is delegated to: a turn of its own, which this report does not look into. */
interface Delegation {
  readonly skill: string;
  readonly position: Position;
}

/** What can be known of a skill before it runs. */
export interface Preflight {
  readonly mode: Mode;
  /** Blast radius: what each step can reach. */
  readonly reach: readonly StepReach[];
  readonly worst: WorstCase;
  /** Code decides how much is done, and no limit of the skill bounds that: the worst case is not known. */
  readonly openEnded: boolean;
  readonly envelope: CostEnvelope;
  readonly delegations: readonly Delegation[];
  readonly unreachable: readonly UnreachableStep[];
  readonly unread: readonly UnreadVariable[];
}

/** Looks at a valid skill as it will run, and at nothing outside it. */
export function preflight(skill: Skill, input: PreflightInput): Preflight {
  const mode = modeOf(skill);
  const { workflow } = skill;
  if (mode === 'code') return ofCode(skill, input);
  if (mode === 'playbook' || workflow === null) return ofPlaybook(skill, input);
  const worst = worstCase(workflow);
  return {
    mode: 'workflow',
    reach: reachOfSkill(skill, mode, input.effects),
    worst,
    openEnded: false,
    envelope: costOf(worst, input.modelOf, input.guess, workflow.limits?.tokens),
    delegations: delegationsOf(workflow),
    unreachable: unreachableSteps(workflow),
    unread: unreadVariables(workflow),
  };
}

function delegationsOf(workflow: Workflow): Delegation[] {
  return stepsOf(allSteps(workflow), 'delegate').map(({ step }) => ({
    skill: step.skill,
    position: step.position,
  }));
}

function ofPlaybook(skill: Skill, { effects, modelOf, guess }: PreflightInput): Preflight {
  const step = compileProgram(skill, 'playbook').lists[0]?.[0] as InstructionCode;
  const worst = worstCaseOfPlaybook(step);
  return {
    mode: 'playbook',
    reach: reachOfSkill(skill, 'playbook', effects),
    worst,
    openEnded: false,
    envelope: costOf(worst, modelOf, guess),
    delegations: [],
    unreachable: [],
    unread: [],
  };
}

function ofCode(skill: Skill, { effects, modelOf, guess }: PreflightInput): Preflight {
  const limits = skill.code?.limits ?? null;
  const worst = worstCaseOfCode(limits);
  return {
    mode: 'code',
    reach: reachOfSkill(skill, 'code', effects),
    worst,
    openEnded: worst.generations === 0,
    envelope: costOf(worst, modelOf, guess, limits?.tokens),
    delegations: [],
    unreachable: [],
    unread: [],
  };
}
