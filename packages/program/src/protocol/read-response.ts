import { ProgramError } from '../program-error.ts';
import { Fields } from './fields.ts';

/** An answer as it came. Whether it fits is for others to say; `result` is a compact text, null when there is none. */
export interface ResponseText {
  readonly runId: string;
  readonly sequence: number;
  readonly requestId: string;
  readonly status: string;
  readonly result: string | null;
}

/**
 * The response envelope in a text. The order of the checks that follow is part of the protocol, so any integer is a
 * sequence here, and any word a status.
 * @throws ProgramError REJECTED `response does not decode: <why>`
 */
export function readResponse(text: string): ResponseText {
  try {
    const response = Fields.read(text, 'response', ['run_id', 'sequence', 'request_id', 'status', 'result']);
    return {
      runId: response.string('run_id'),
      sequence: response.integer('sequence', Number.MIN_SAFE_INTEGER),
      requestId: response.string('request_id'),
      status: response.string('status'),
      result: response.text('result'),
    };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ProgramError('REJECTED', `response does not decode: ${error.message}`, { cause: error });
  }
}
