import type { References } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';

/** For a run that was given no references. */
export const NO_REFERENCES: References = {
  load: (file) => missing(`references/${file}`),
  asset: (path) => missing(path),
};

function missing(path: string): never {
  throw new KitError(
    'REFERENCE_MISSING',
    `The skill reads "${path}", but this run was not given the folder of the skill`,
  );
}
