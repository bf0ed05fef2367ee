import { KitError } from '../kit-error.ts';

/** Prose that several prompts share, under a name by which tools can find its uses. */
export interface Fragment {
  readonly name: string;
  readonly content: string;
}

/**
 * @param text without the white space at its ends
 * @throws KitError SKILL_DEFINITION_INVALID without a name
 */
export function fragment(name: string, text: string): Fragment {
  if (name === '') {
    throw new KitError(
      'SKILL_DEFINITION_INVALID',
      'fragment: name is required; give it as the first argument',
    );
  }
  return Object.freeze({ name, content: text.trim() });
}
