import { type ChildProcess, spawn } from 'node:child_process';
import {
  deserializeMessage,
  type JSONRPCMessage,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { killGroup } from '@skillyard/processes';
import { LONGEST_LINE_BYTES, readLines } from '../child-process/read-lines.ts';

export interface StdioServer {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** All of it: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
}

const STDERR_LINES = 20;
const LONGEST_LINE = 300;
const POLITE_EXIT_MS = 1500;
const TERMINATED_EXIT_MS = 1500;
const HELD_PIPES_MS = 1000;

/**
 * MCP over the standard streams of a child process.
 *
 * Ours and not that of the SDK (2.4.0), for three things that one cannot do: it adds variables of our own environment
 * to the child's, it drops a line that is no JSON without telling anybody, so that a server that answers garbage
 * looks like one that is slow, and it does not kill what the child has started.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T) => void;
  /** Called with a line that was meant as a message and is none. */
  ongarbage?: (line: string) => void;

  readonly #server: StdioServer;
  readonly #stderr: string[] = [];
  #child: ChildProcess | undefined;
  #exited: Promise<void> = Promise.resolve();
  #exitReason: string | undefined;
  #garbage: string | undefined;
  #closed = false;

  constructor(server: StdioServer) {
    this.#server = server;
  }

  /** How the process ended, undefined while it runs: `ended with code 1`. */
  get exitReason(): string | undefined {
    return this.#exitReason;
  }

  /** The first line on stdout that was no message, cut short. */
  get garbage(): string | undefined {
    return this.#garbage;
  }

  /** The last lines the process wrote to stderr. */
  get lastWords(): readonly string[] {
    return this.#stderr.filter((line) => line.trim() !== '').slice(-STDERR_LINES);
  }

  async start(): Promise<void> {
    if (this.#closed) throw new Error('closed before it was started');
    const { command, args, cwd, env } = this.#server;
    const child = spawn(command, [...args], {
      cwd,
      env: { ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
      shell: false,
      windowsHide: true,
      // A group of its own: what it starts ends with it, and an interrupt at our terminal does not reach it first.
      detached: process.platform !== 'win32',
    });
    this.#child = child;
    this.#exited = new Promise((resolve) => {
      const gone = (): void => {
        if (this.#child === undefined) return;
        this.#child = undefined;
        resolve();
        this.onclose?.();
      };
      child.once('close', gone);
      child.once('exit', (code, signal) => {
        this.#exitReason ??= signal === null ? `ended with code ${code ?? 0}` : `was killed by ${signal}`;
        // Whatever it has started may hold its pipes open, and then no `close` comes.
        killGroup(child, 'SIGKILL');
        setTimeout(gone, HELD_PIPES_MS).unref();
      });
    });
    child.stdin.on('error', (error) => this.onerror?.(error));
    child.stdout.on('error', (error) => this.onerror?.(error));
    readLines(
      child.stdout,
      (line) => this.#receive(line),
      () => this.#tooLong(),
    );
    readLines(child.stderr, (line) => {
      this.#stderr.push(line.slice(0, LONGEST_LINE));
      if (this.#stderr.length > 2 * STDERR_LINES) this.#stderr.splice(0, STDERR_LINES);
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error) => {
        this.#exitReason = error.message;
        reject(error);
      });
    });
  }

  #receive(line: string): void {
    if (line.trim() === '') return;
    let message: JSONRPCMessage;
    try {
      message = deserializeMessage(line);
    } catch {
      this.#garbage ??= line.slice(0, LONGEST_LINE);
      // Careless servers print banners and logs to stdout; only what speaks of JSON-RPC was meant for us.
      if (line.includes('"jsonrpc"')) this.ongarbage?.(line.slice(0, LONGEST_LINE));
      return;
    }
    this.onmessage?.(message);
  }

  #tooLong(): void {
    this.ongarbage?.(`a message of more than ${LONGEST_LINE_BYTES / 1024 / 1024} MiB`);
    void this.close();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (stdin === undefined || stdin === null || !stdin.writable) throw new Error('The process has ended.');
    await new Promise<void>((resolve, reject) => {
      stdin.write(serializeMessage(message), (error) => (error == null ? resolve() : reject(error)));
    });
  }

  /** Closes its stdin, which asks it to end; then SIGTERM, then SIGKILL, to it and to all it started. */
  async close(): Promise<void> {
    this.#closed = true;
    const child = this.#child;
    if (child === undefined || child.pid === undefined) return;
    child.stdin?.end();
    for (const [signal, waitMs] of [
      ['SIGTERM', POLITE_EXIT_MS],
      ['SIGKILL', TERMINATED_EXIT_MS],
    ] as const) {
      if (await within(this.#exited, waitMs)) return;
      killGroup(child, signal);
    }
    await this.#exited;
  }
}

/** Whether a promise is done within a time. */
async function within(promise: Promise<void>, waitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), waitMs);
  });
  const done = await Promise.race([promise.then(() => true), late]);
  clearTimeout(timer);
  return done;
}
