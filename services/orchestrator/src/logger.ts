import { type Logger, pino } from 'pino';

export type { Logger } from 'pino';

/** The log of this process: JSON lines on stderr. Ids, codes and counts; never what a turn is about. */
export function createLogger(level: string | undefined): Logger {
  return pino(
    { name: 'orchestrator', level: level === undefined || level === '' ? 'info' : level },
    pino.destination(2),
  );
}
