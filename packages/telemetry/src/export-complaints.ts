import { type DiagLogger, diag, DiagLogLevel } from '@opentelemetry/api';

/** The log of a process, as far as telemetry writes to it. */
export interface TelemetryLog {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  debug(facts: object, message: string): void;
}

/** The most characters of a reason. */
const MAX_REASON = 300;

/**
 * Has what goes wrong with exporting written into the log of the process: the first time as a warning, later for
 * `LOG_LEVEL=debug` only. A collector that is away fails with every batch, and turns go on without it.
 */
export function logComplaints(log: TelemetryLog): void {
  let complained = false;
  const complain = (text: string): void => {
    const reason = reasonOf(text);
    if (complained) log.debug({ reason }, 'telemetry');
    else log.warn({ reason }, 'telemetry cannot be exported; turns go on without it, and this is said once');
    complained = true;
  };
  const tell = (text: string): void => log.debug({ reason: reasonOf(text) }, 'telemetry');
  const logger: DiagLogger = { error: complain, warn: complain, info: tell, debug: tell, verbose: tell };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}

/** Errors come as JSON with their stack. */
function reasonOf(text: string): string {
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    if (typeof message === 'string') return message.slice(0, MAX_REASON);
  } catch {
    // It was plain text.
  }
  return text.slice(0, MAX_REASON);
}
