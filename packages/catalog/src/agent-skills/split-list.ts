import { trimSpace } from './trim-space.ts';

/**
 * The parts of a field such as `tags`: blanks and commas separate them, and nothing else does. Parentheses do not hold
 * a part together.
 */
export function splitList(text: string): string[] {
  return text
    .split(/[ ,]/)
    .map(trimSpace)
    .filter((part) => part !== '');
}
