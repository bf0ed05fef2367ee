import type { References } from '../definition/skill-definition.ts';

/** Reads the files beside a skill. Nothing outside its folder is reached, whatever names are asked for. */
export function skillReferences(_skillDir: string): References {
  throw new Error('not yet');
}
