import type { Terminal } from '../definition/skill-definition.ts';

/** The end of a skill, as what a step leads to. */
export const terminal: Terminal = Object.freeze({ terminal: true });
