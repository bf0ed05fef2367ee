import { SkillyardError } from '@skillyard/contracts';

/**
 * The longest text a flow may build, in UTF-16 code units. A loop that appends a variable to itself doubles it every
 * time; without a bound thirty iterations take the process down, and every other turn in it.
 */
const MAX_TEXT_LENGTH = 16 * 1024 * 1024;

/**
 * Refuses a text that has grown too long.
 * @throws SkillyardError VALUE_TOO_LARGE
 */
export function bounded(text: string): string {
  if (text.length <= MAX_TEXT_LENGTH) return text;
  throw new SkillyardError(
    'VALUE_TOO_LARGE',
    `A text of ${text.length} characters is over the limit of ${MAX_TEXT_LENGTH}. Pass large values by handle, or build less.`,
  );
}
