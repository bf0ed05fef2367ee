import { type JobId, SkillyardError, type TurnId, turnId } from '@skillyard/contracts';

/** @throws SkillyardError INPUT_INVALID */
export function readTurnId(text: string): TurnId {
  try {
    return turnId(text);
  } catch (cause) {
    const message = `"${text}" is no turn id; write one as \`skillyard submit\` printed it`;
    throw new SkillyardError('INPUT_INVALID', message, { cause });
  }
}

/** @throws SkillyardError INPUT_INVALID */
export function readJobId(text: string): JobId {
  const dot = text.indexOf('.');
  if (dot > 0 && dot < text.length - 1) {
    readTurnId(text.slice(0, dot));
    return text as JobId;
  }
  const message = `"${text}" is no job id; write one as \`skillyard failed\` or \`skillyard why\` prints it`;
  throw new SkillyardError('INPUT_INVALID', message);
}
