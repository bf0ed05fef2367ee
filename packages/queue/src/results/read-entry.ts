import type { JobId, StepError, StepResult, TurnId } from '@skillyard/contracts';
import type { QueueConnection } from '../connection.ts';
import type { Delivery } from '../envelope.ts';
import { unpackResult } from '../payload.ts';

/** The message of a stream entry, whose fields are described in post-result.ts. */
export async function readEntry(
  connection: QueueConnection,
  fields: readonly string[],
): Promise<Delivery['message']> {
  const turnId = valueOf(fields, 't') as TurnId;
  const reason = valueOf(fields, 'c');
  if (reason !== undefined) return { type: 'cancel', turnId, reason: JSON.parse(reason) as StepError };
  if (valueOf(fields, 'x') !== undefined) return { type: 'expire', turnId };
  if (valueOf(fields, 's') !== undefined) return { type: 'start', turnId };
  const kept = valueOf(fields, 'p') as JobId | undefined;
  if (kept === undefined) {
    return { type: 'result', turnId, result: JSON.parse(valueOf(fields, 'r') ?? '{}') as StepResult };
  }
  const result = await unpackResult(connection, kept);
  // Applied or dropped already: then nobody waits for it, and any result will do.
  const error = { code: 'STEP_FAILED', message: 'the result was posted and is gone' };
  return { type: 'result', turnId, result: result ?? { jobId: kept, status: 'error', text: '', error } };
}

/** Whether somebody had this entry and put it back. */
export function wasGivenBack(fields: readonly string[]): boolean {
  return valueOf(fields, 'b') !== undefined;
}

/** The value of a field of an entry, which is a flat list of names and values. */
export function valueOf(fields: readonly string[], name: string): string | undefined {
  for (let index = 0; index + 1 < fields.length; index += 2) {
    if (fields[index] === name) return fields[index + 1];
  }
  return undefined;
}
