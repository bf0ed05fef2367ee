/** A server-sent event. */
export interface SseMessage {
  /** The last id that was sent, with this message or one before; empty when there was none. */
  readonly id: string;
  /** `message` when it is not said. */
  readonly event: string;
  /** Its lines joined by line feeds. */
  readonly data: string;
}

/**
 * Reads a stream of server-sent events, in whatever pieces it comes (HTML standard, 9.2.6).
 * A message that the stream breaks off in is never given: it comes again to whoever goes on after the one before.
 */
export class SseParser {
  /** The start of a line whose end has not come. */
  #rest = '';
  #id = '';
  #event = '';
  #data: string[] = [];

  /** Takes a piece of the stream. @returns the messages that it completes */
  push(text: string): SseMessage[] {
    const messages: SseMessage[] = [];
    this.#rest += text;
    for (let end = this.#lineEnd(); end !== null; end = this.#lineEnd()) {
      const line = this.#rest.slice(0, end.at);
      this.#rest = this.#rest.slice(end.next);
      if (line !== '') this.#field(line);
      else if (this.#data.length > 0) messages.push(this.#message());
      else this.#event = '';
    }
    return messages;
  }

  /** Where the first line ends. A carriage return at the very end may be half of an end. */
  #lineEnd(): { at: number; next: number } | null {
    const at = this.#rest.search(/[\r\n]/);
    if (at === -1) return null;
    if (this.#rest[at] === '\n') return { at, next: at + 1 };
    if (at === this.#rest.length - 1) return null;
    return { at, next: this.#rest[at + 1] === '\n' ? at + 2 : at + 1 };
  }

  #field(line: string): void {
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') this.#data.push(value);
    else if (name === 'event') this.#event = value;
    else if (name === 'id' && !value.includes('\0')) this.#id = value;
  }

  #message(): SseMessage {
    const message = { id: this.#id, event: this.#event || 'message', data: this.#data.join('\n') };
    this.#data = [];
    this.#event = '';
    return message;
  }
}
