import { type Logger, pino } from 'pino';
import type { WorkerNotice } from '@skillyard/queue';
import type { TraceFields } from '@skillyard/telemetry';

export type { Logger } from 'pino';

/** The log of this process: JSON lines on stderr. Ids, codes and counts; never what a turn is about. */
export function createLogger(level: string | undefined): Logger {
  return pino(
    { name: 'worker', level: level === undefined || level === '' ? 'info' : level },
    pino.destination(2),
  );
}

/**
 * Writes down what a worker tells of itself.
 * @param trace the span that it belongs to, when jobs are traced
 */
export function logNotice(log: Logger, told: WorkerNotice, trace?: TraceFields): void {
  const notice = { ...told, ...trace };
  switch (notice.type) {
    case 'error':
      log.warn({ reason: notice.message }, 'queue');
      return;
    case 'job.lost':
      log.warn(notice, 'a call that must not run twice had lost its worker');
      return;
    case 'job.taken-over':
      log.warn(notice, 'running again a job whose worker died');
      return;
    case 'job.late':
      log.warn(notice, 'a result came too late: this worker had been given up for dead');
      return;
    case 'job.retried':
      log.info(notice, 'tried again later');
      return;
    default:
      log.debug(notice, notice.type);
  }
}
