import { type ChildProcess, spawn } from 'node:child_process';
import { type CodeHostReply, type CodeHostRequest, SkillyardError } from '@skillyard/contracts';
import { guardGroup, killGroup } from '@skillyard/processes';
import { readLines } from '../child-process/read-lines.ts';
import type { CodeBundle } from './code-bundles.ts';
import type { Redact } from '../redaction.ts';
import { LastWords } from './last-words.ts';
import { idOfLine, readReply } from './read-reply.ts';

/** A request before it has a number. */
export type HostRequest =
  Exclude<CodeHostRequest, { op: 'cancel' }> extends infer Request
    ? Request extends { id: number }
      ? Omit<Request, 'id'>
      : never
    : never;

/** How a request may end before it is answered. */
export interface HostDeadline {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Thrown when the time is over. */
  readonly late: SkillyardError;
}

export interface HostProcessOptions {
  /** All of it: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly memoryMb?: number | undefined;
  readonly redact: Redact;
}

interface Waiting {
  readonly settle: (outcome: { readonly reply: CodeHostReply } | { readonly error: Error }) => void;
  readonly timer: NodeJS.Timeout;
}

/** What an action that is told to stop has left for it. */
const CANCEL_GRACE_MS = 2000;
const POLITE_EXIT_MS = 1000;
/** A timer of Node that is set for longer fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * The process that runs the code of one skill, for many turns at once.
 *
 * H1 Everything that is waiting when it ends is told of the end, with the last words of the process.
 * H2 A request whose time is over, and that cannot be stopped, takes the process out of use: it is killed when nothing
 *    else waits for it. Code that spins stops everything else in its process, too, until the others' own time is over.
 * H3 An answer that is none, or too large or too deep for a turn, ends its own request at once and nothing else.
 */
export class HostProcess {
  readonly #bundle: CodeBundle;
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  readonly #stderr: LastWords;
  readonly #exited: Promise<void>;
  #lastId = 0;
  /** How it ended; undefined while it runs. */
  #end: string | undefined;
  #isRetired = false;
  #hasBegun = false;

  constructor(bundle: CodeBundle, { env, memoryMb, redact }: HostProcessOptions) {
    this.#bundle = bundle;
    this.#stderr = new LastWords(redact);
    const heap = memoryMb === undefined ? [] : [`--max-old-space-size=${memoryMb}`];
    this.#child = spawn(process.execPath, [...heap, bundle.file, 'host'], {
      cwd: bundle.folder,
      env: { ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      // A group of its own: what it starts ends with it, and an interrupt at our terminal does not reach it first.
      detached: process.platform !== 'win32',
    });
    this.#exited = this.#follow();
  }

  /** Whether it takes further requests. */
  get isUsable(): boolean {
    return this.#end === undefined && !this.#isRetired;
  }

  get isIdle(): boolean {
    return this.#waiting.size === 0;
  }

  /**
   * Asks the code.
   * @throws SkillyardError CODE_UNAVAILABLE when the process ends first (`details.sent`: whether the code may have begun),
   *   CODE_FAILED for an answer that cannot be taken, `deadline.late`, or what the signal was aborted with
   */
  async request(request: HostRequest, deadline: HostDeadline): Promise<CodeHostReply> {
    const { signal, timeoutMs, late } = deadline;
    signal.throwIfAborted();
    if (this.#end !== undefined) throw this.#gone(false);
    const id = ++this.#lastId;
    let onAbort = (): void => {};
    try {
      return await new Promise<CodeHostReply>((resolve, reject) => {
        const timer = setTimeout(
          () => void this.#stop(id, request.op, late),
          Math.min(timeoutMs, LONGEST_TIMER_MS),
        );
        this.#waiting.set(id, {
          timer,
          settle: (outcome) => ('reply' in outcome ? resolve(outcome.reply) : reject(outcome.error)),
        });
        onAbort = () => {
          const reason = signal.reason instanceof Error ? signal.reason : new Error('aborted');
          // A decision does nothing outside: it may come to its end, and nobody looks at it.
          if (request.op === 'decide') this.#waiting.get(id)?.settle({ error: reason });
          else void this.#stop(id, 'act', reason);
        };
        signal.addEventListener('abort', onAbort, { once: true });
        this.#send({ ...request, id });
      });
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Asks it to end, and kills it when it does not, with all it has started. */
  async close(): Promise<void> {
    this.#isRetired = true;
    if (this.#end !== undefined) return;
    this.#child.stdin?.end();
    const timer = setTimeout(() => killGroup(this.#child, 'SIGKILL'), POLITE_EXIT_MS);
    await this.#exited;
    clearTimeout(timer);
  }

  #send(request: CodeHostRequest): void {
    this.#child.stdin?.write(`${JSON.stringify(request)}\n`);
  }

  /** Gives a request up. An action is told first, and may still say how it ended. */
  async #stop(id: number, op: HostRequest['op'], reason: Error): Promise<void> {
    if (!this.#waiting.has(id)) return;
    if (op === 'act') {
      this.#send({ id: ++this.#lastId, op: 'cancel', request: id });
      await new Promise<void>((resolve) => setTimeout(resolve, CANCEL_GRACE_MS).unref());
    }
    const waiting = this.#take(id);
    if (waiting === undefined) return;
    this.#isRetired = true;
    waiting.settle({ error: reason });
    this.#killIfDone();
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    if (waiting !== undefined) clearTimeout(waiting.timer);
    this.#waiting.delete(id);
    return waiting;
  }

  #killIfDone(): void {
    if (this.#isRetired && this.isIdle && this.#end === undefined) killGroup(this.#child, 'SIGKILL');
  }

  #follow(): Promise<void> {
    const child = this.#child;
    // Code that never comes back does not notice that we have gone.
    const callOff = guardGroup(child);
    child.stdin?.on('error', () => {
      // It has ended: `exit` tells.
    });
    if (child.stdout !== null) {
      readLines(
        child.stdout,
        (line) => this.#receive(line),
        (start) => this.#receive(start),
      );
    }
    if (child.stderr !== null) readLines(child.stderr, (line) => this.#overhear(line));
    return new Promise((resolve) => {
      const gone = (how: string): void => {
        this.#end ??= how;
        for (const id of this.#waiting.keys()) this.#take(id)?.settle({ error: this.#gone(this.#hasBegun) });
        resolve();
      };
      child.once('spawn', () => (this.#hasBegun = true));
      child.once('error', (error) => gone(`does not start: ${error.message}`));
      child.once('exit', (code, signal) => {
        this.#end ??= signal === null ? `ended with code ${code ?? 0}` : `was killed by ${signal}`;
        callOff();
        // Whatever it has started ends with it, and may hold its pipes open: then no `close` comes.
        killGroup(child, 'SIGKILL');
        // Its last words may still be in the pipe.
        setTimeout(() => gone(''), POLITE_EXIT_MS).unref();
      });
      child.once('close', () => gone(''));
    });
  }

  #receive(line: string): void {
    const id = idOfLine(line);
    // Whatever else is written to stdout is no answer to anything.
    if (id === null || !this.#waiting.has(id)) return this.#overhear(line);
    const read = readReply(line);
    this.#take(id)?.settle('problem' in read ? { error: this.#refused(read.problem) } : read);
    this.#killIfDone();
  }

  #overhear(line: string): void {
    this.#stderr.hear(`${line}\n`);
  }

  #refused(problem: string): SkillyardError {
    const { name } = this.#bundle;
    return new SkillyardError(
      'CODE_FAILED',
      `The code of the skill "${name}" gave an answer that cannot be taken: ${problem}.`,
      { details: { skill: name, sent: true } },
    );
  }

  #gone(sent: boolean): SkillyardError {
    const { name } = this.#bundle;
    return new SkillyardError(
      'CODE_UNAVAILABLE',
      `The process that runs the code of the skill "${name}" ${this.#end ?? 'is gone'}.${this.#stderr.inWords()}`,
      { details: { skill: name, sent } },
    );
  }
}
