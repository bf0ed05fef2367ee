/** An answer as it came. What it must be is checked by whoever takes it; `result` is a compact text, null when there is none. */
export interface ResponseText {
  readonly runId: string;
  readonly sequence: number;
  readonly requestId: string;
  readonly status: string;
  readonly result: string | null;
}

/**
 * The response envelope in a text.
 * @throws ProgramError REJECTED `response does not decode: <why>`
 */
export function readResponse(text: string): ResponseText {
  throw new Error(`not yet: ${text}`);
}
