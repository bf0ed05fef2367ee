import { SkillyardError, type TraceEvent, type TurnId, type TurnOutcome } from '@skillyard/contracts';
import { assembleTrace } from '@skillyard/engine';
import type { CommandContext } from '../commands/context.ts';
import { EXIT } from '../terminal/exit-code.ts';
import { createProgress } from '../terminal/progress.ts';
import type { TurnReport } from '../terminal/report-turn.ts';
import type { RunningSystem } from './running-system.ts';

/**
 * Follows a turn to its end and shows it as it happens. Ctrl-C ends the watching; the turn goes on.
 * @returns how it ended; null when the watching was ended before
 * @throws SkillyardError TURN_NOT_FOUND
 */
export async function followTurn(
  system: RunningSystem,
  turnId: TurnId,
  context: CommandContext,
): Promise<TurnReport | null> {
  const { surroundings, terminal } = context;
  const controller = new AbortController();
  const stopListening = surroundings.onInterrupt(() => {
    if (controller.signal.aborted) surroundings.exitNow(EXIT.cancelled);
    controller.abort();
  });
  const progress = createProgress(terminal);
  const events: TraceEvent[] = [];
  let outcome: TurnOutcome | undefined;
  try {
    for await (const watched of system.watch(turnId, controller.signal)) {
      events.push(watched.event);
      progress.event(watched.event);
      outcome = watched.outcome;
    }
  } finally {
    progress.end();
    stopListening();
  }
  if (outcome !== undefined)
    return { turnId, outcome, ...assembleTrace(events), durationMs: duration(events) };
  if (controller.signal.aborted) return null;
  const message = `turn "${turnId}" has ended, and how is no longer known: outcomes are kept for a day, unless \`history.retention\` says otherwise`;
  throw new SkillyardError('TURN_NOT_FOUND', message, { details: { turnId } });
}

function duration(events: readonly TraceEvent[]): number {
  const started = events.find((event) => event.type === 'turn.started')?.atMs ?? 0;
  const finished = events.findLast((event) => event.type === 'turn.finished')?.atMs ?? started;
  return finished - started;
}

/** Says that a turn goes on without a watcher. @returns the exit code */
export function printUnwatched(turnId: TurnId, context: CommandContext): number {
  const { terminal } = context;
  if (terminal.json) terminal.document({ turnId, watching: false });
  terminal.err(`stopped watching; the turn goes on. To see how it ends: skillyard watch ${turnId}`);
  return EXIT.cancelled;
}
