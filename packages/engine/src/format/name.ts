import { quoted } from './quoted.ts';

const NAME = /^[a-z0-9](?:[a-z0-9_-]{0,48}[a-z0-9])?$/;

/**
 * Checks the name of a skill (spec section 14). It is a file name, the key a delegate step refers to and a label in
 * every measurement, so two names must never differ only by what a report does not show.
 * @returns what is wrong, or undefined
 */
export function validateSkillName(name: string): string | undefined {
  if (NAME.test(name)) return undefined;
  return `The name ${quoted(name)} is no skill name: 1 to 50 of \`a-z 0-9 _ -\`, beginning and ending with a letter or a digit.`;
}
