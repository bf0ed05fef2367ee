import type { Terminal } from '../definition/skill-definition.ts';

/** Where a skill ends: `next: terminal`. */
export const terminal: Terminal = Object.freeze({ terminal: true });
