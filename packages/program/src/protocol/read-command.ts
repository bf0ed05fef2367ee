/** What a command that sets no time of its own may take. */
const DEFAULT_SECONDS = 600;
/** The longest time that a turn can be told: a year. */
const MAX_SECONDS = 365 * 24 * 60 * 60;
const MS_PER_SECOND = 1000;

/** A command as it is run. */
export interface RequestedCommand {
  readonly command: string;
  readonly timeoutMs: number;
}

/** What the payload of a command has to be, for messages. */
export const COMMAND_PAYLOAD = '{"command": text, "timeout_seconds"?: number}';

/**
 * Reads the payload of a command.
 * @param payload a JSON text
 * @returns null when it is none of a command
 */
export function readCommand(payload: string): RequestedCommand | null {
  const { command, timeout_seconds: seconds = 0 } = (JSON.parse(payload) ?? {}) as {
    readonly command?: unknown;
    readonly timeout_seconds?: unknown;
  };
  if (typeof command !== 'string' || typeof seconds !== 'number') return null;
  const set = seconds > 0 ? Math.min(seconds, MAX_SECONDS) : DEFAULT_SECONDS;
  return { command, timeoutMs: Math.ceil(set * MS_PER_SECOND) };
}
