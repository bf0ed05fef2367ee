import { seeded } from '../chaos/soak/killer.ts';

/** What is asked for on the command line. */
export interface LoadOptions {
  readonly turns: number;
  /** Event streams that are open at once. */
  readonly listeners: number;
  readonly seed: number;
}

/** A turn that is going to be submitted. */
export interface PlannedTurn {
  readonly tenant: string;
  readonly kind: TurnKind;
  /** What it is given; its answer has to name it. */
  readonly input: string;
  /** Which of the orchestrators is asked. */
  readonly orchestrator: number;
}

/** A shape of turn, named after the skill that it runs. */
export type TurnKind = (typeof TURN_KINDS)[number];

export const TENANTS = ['acme', 'bolt', 'crane', 'delta'] as const;
const TURN_KINDS = ['chain', 'branches', 'loop'] as const;
export const ORCHESTRATORS = 2;

const think = (name: string, text: string, target: string): string =>
  `{name: ${name}, instruction: "${text}", tools: [], save_as: ${target}}`;

/** The steps of each kind: one after the other, in branches, and in a loop. Each ends with its input as its answer. */
const STEPS: Readonly<Record<TurnKind, string>> = {
  chain: `
    - ${think('first', 'About {{input}}', 'a')}
    - ${think('second', 'Then {{a}}', 'b')}
    - ${think('last', 'Say {{input}}', 'answer')}`,
  branches: `
    - name: both
      parallel:
        collect: sides
        branches:
          - - ${think('left', 'Left of {{input}}', 'a')}
          - - ${think('right', 'Right of {{input}}', 'b')}
    - ${think('last', 'Say {{input}}', 'answer')}`,
  loop: `
    - name: each
      for_each:
        in: list
        as: item
        collect: thoughts
        steps:
          - ${think('first', 'About {{item}}', 'thoughts')}
    - ${think('last', 'Say {{input}}', 'answer')}`,
};

export function skillText(kind: TurnKind): string {
  return `skill_engine_version: "2.5.0"
name: ${kind}
description: A turn of the load test.
workflow:
  tools: []
  steps:${STEPS[kind]}
`;
}

/** Decides what is submitted. The same options give the same plan. */
export function planTurns({ turns, seed }: LoadOptions): PlannedTurn[] {
  const random = seeded(seed);
  const pick = <T>(values: readonly [T, ...T[]]): T =>
    values[Math.floor(random() * values.length)] ?? values[0];
  return Array.from({ length: turns }, (_, index) => ({
    tenant: pick(TENANTS),
    kind: pick(TURN_KINDS),
    input: `request ${index}`,
    orchestrator: Math.floor(random() * ORCHESTRATORS),
  }));
}
