import type { Redact } from '../redaction.ts';

const MOST_LINES = 20;
const LONGEST_LINE = 300;
const MOST_CHARS = MOST_LINES * LONGEST_LINE;

/** What a process wrote last to its stderr: in most cases it says there why it ended. */
export class LastWords {
  readonly #redact: Redact;
  #text = '';

  constructor(redact: Redact) {
    this.#redact = redact;
  }

  hear(text: string): void {
    // Before it is cut: half a secret would not be found.
    this.#text = this.#redact(this.#text + text).slice(-MOST_CHARS);
  }

  /** A sentence to put behind a message, with a blank before it; empty when nothing was written. */
  inWords(): string {
    const lines = this.#text.split('\n').filter((line) => line.trim() !== '');
    if (lines.length === 0) return '';
    const last = lines.slice(-MOST_LINES).map((line) => line.slice(0, LONGEST_LINE));
    return ` It wrote last: ${last.join(' | ')}`;
  }
}
