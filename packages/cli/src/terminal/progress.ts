import {
  type JobNoticed,
  type QuestionEvent,
  type StepFinished,
  type StepStarted,
  type TraceEvent,
  turnOfJob,
  type TurnStarted,
} from '@skillyard/contracts';
import { formatDuration } from './format-duration.ts';
import { paintOutcome } from './paint-outcome.ts';
import { stepLabel } from './step-label.ts';
import { oneLine, type Terminal } from './terminal.ts';

/** Shows a turn while it runs. */
export interface Progress {
  /** @param within names of the skills that delegated to the one whose event it is, outermost first */
  event(event: TraceEvent, within?: readonly string[]): void;
  /** Leaves the terminal to somebody else: nothing is shown until it is resumed. */
  pause(): void;
  resume(): void;
  /** Takes away what was only provisional. Nothing may be shown afterwards. */
  end(): void;
}

/**
 * The way of showing that suits the terminal: lines that change for a person, plain lines for a pipe, nothing for a
 * program that asked for JSON.
 */
export function createProgress(terminal: Terminal): Progress {
  const nothing = (): void => undefined;
  if (terminal.json) return { event: nothing, pause: nothing, resume: nothing, end: nothing };
  return terminal.live ? new LiveProgress(terminal) : new PlainProgress(terminal);
}

/** Kinds that work outside and may take long: worth a line when they start. */
const OUTSIDE = new Set<StepStarted['kind']>(['instruction', 'call', 'delegate', 'ask']);

class PlainProgress implements Progress {
  readonly #terminal: Terminal;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  event(event: TraceEvent, within: readonly string[] = []): void {
    if (event.type === 'step.started' && OUTSIDE.has(event.kind)) {
      this.#terminal.err(`started ${event.kind} ${labelWithin(event, within)}`);
    } else if (event.type === 'step.finished') {
      this.#terminal.err(finishedLine(event, within, this.#terminal));
    } else if (event.type === 'job.noticed') {
      this.#terminal.err(noticedLine(event, within, this.#terminal));
    } else if (event.type === 'turn.started') {
      for (const line of missingLines(event, this.#terminal)) this.#terminal.err(line);
    } else if (event.type === 'question.asked') {
      this.#terminal.err(askedLine(event, within));
    }
  }

  pause(): void {
    // Lines come when something happens, and may stand between those of somebody else.
  }

  resume(): void {
    // As it was not paused.
  }

  end(): void {
    // Plain lines stay.
  }
}

interface Running {
  readonly text: string;
  readonly sinceMs: number;
}

const FRAME_MS = 120;
const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
/** Running steps shown at once; a loop may have hundreds. */
const MAX_RUNNING = 8;

/**
 * Finished steps are lines that stay; below them stand the running ones, redrawn with the time they have taken.
 */
class LiveProgress implements Progress {
  readonly #terminal: Terminal;
  readonly #running = new Map<string, Running>();
  readonly #timer: NodeJS.Timeout;
  #drawn = 0;
  #frame = 0;
  /** Lines that wait for the end of a pause; null outside of one. */
  #held: string[] | null = null;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.#timer = setInterval(() => {
      this.#frame = (this.#frame + 1) % FRAMES.length;
      this.#draw([]);
    }, FRAME_MS);
    this.#timer.unref();
  }

  event(event: TraceEvent, within: readonly string[] = []): void {
    const key = `${within.join('/')}:${'path' in event ? event.path : ''}`;
    if (event.type === 'step.started') {
      // A container is its steps: it gets its line when it ends.
      if (!OUTSIDE.has(event.kind)) return;
      this.#running.set(key, {
        text: `${event.kind} ${labelWithin(event, within).trim()}`,
        sinceMs: Date.now(),
      });
      this.#draw([]);
    } else if (event.type === 'step.finished') {
      this.#running.delete(key);
      this.#draw([finishedLine(event, within, this.#terminal)]);
    } else if (event.type === 'job.noticed') {
      this.#draw([noticedLine(event, within, this.#terminal)]);
    } else if (event.type === 'turn.started') {
      this.#draw(missingLines(event, this.#terminal));
    } else if (event.type === 'question.asked') {
      this.#draw([askedLine(event, within)]);
    } else if (event.type === 'steps.discarded') {
      for (const other of this.#running.keys()) {
        if (other === key || other.startsWith(`${key}.`)) this.#running.delete(other);
      }
    }
  }

  pause(): void {
    if (this.#held !== null) return;
    if (this.#drawn > 0) this.#terminal.raw(this.#erase());
    this.#drawn = 0;
    this.#held = [];
  }

  resume(): void {
    const held = this.#held ?? [];
    this.#held = null;
    this.#draw(held);
  }

  end(): void {
    this.resume();
    clearInterval(this.#timer);
    this.#running.clear();
    this.#draw([]);
  }

  #erase(): string {
    return this.#drawn > 0 ? `\u001b[${this.#drawn}A\u001b[J` : '';
  }

  #draw(finished: readonly string[]): void {
    if (this.#held !== null) {
      this.#held.push(...finished);
      return;
    }
    const { colors, columns } = this.#terminal;
    const lines = [...this.#running.values()].slice(0, MAX_RUNNING).map(({ text, sinceMs }) => {
      const taken = formatDuration(Date.now() - sinceMs);
      return colors.dim(`${FRAMES[this.#frame]} ${text.slice(0, Math.max(10, columns - 14))} ${taken}`);
    });
    const hidden = this.#running.size - lines.length;
    if (hidden > 0) lines.push(colors.dim(`  and ${hidden} more`));
    const erase = this.#erase();
    const text = [...finished, ...lines].map((line) => `${line}\n`).join('');
    if (erase !== '' || text !== '') this.#terminal.raw(erase + text);
    this.#drawn = lines.length;
  }
}

function finishedLine(event: StepFinished, within: readonly string[], terminal: Terminal): string {
  const { colors } = terminal;
  const outcome = paintOutcome(event.outcome, colors, event.outcome.padEnd(9));
  const took = formatDuration(event.durationMs).padStart(8);
  const head = `${outcome} ${took}  ${event.kind.padEnd(11)} ${labelWithin(event, within)}`;
  if (event.reason === '') return head;
  const room = terminal.live ? Math.max(20, terminal.columns - 36 - event.name.length) : 300;
  return `${head}  ${colors.dim(oneLine(event.reason, room))}`;
}

/** Something that happened to a job on its way, between the rows of the steps. */
function noticedLine(event: JobNoticed, within: readonly string[], terminal: Terminal): string {
  const { colors, columns, live } = terminal;
  const place = [...within, `step ${event.path}`].join(' › ');
  const text = `${event.what} ${place}, attempt ${event.attempt}: ${event.reason}`;
  return colors.dim(oneLine(text, live ? Math.max(40, columns - 1) : 300));
}

/** A question that somebody has to answer elsewhere. */
function askedLine({ path, jobId }: QuestionEvent, within: readonly string[]): string {
  const place = [...within, `step ${path}`].join(' › ');
  return `asked ${place}, which waits for a person: skillyard answer ${turnOfJob(jobId)} <answer>`;
}

/** Includes that led nowhere: the turn starts without their tools, and what lacks one fails later and elsewhere. */
function missingLines({ radius }: TurnStarted, { colors }: Terminal): string[] {
  const missing = (radius?.missing ?? []).map(
    ({ skill, include }) => `skill "${skill}" includes "${include}"`,
  );
  return [...new Set(missing)].map((what) => `${colors.yellow('missing')} ${what}, which is not there`);
}

function labelWithin(event: StepStarted | StepFinished, within: readonly string[]): string {
  return within.length === 0 ? stepLabel(event) : `${within.join(' › ')} › ${stepLabel(event).trim()}`;
}
