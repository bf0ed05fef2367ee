import { createInterface } from 'node:readline';
import type { CodeHostReply, CodeHostRequest } from '@skillyard/contracts';
import type { SkillDefinition } from '../definition/skill-definition.ts';
import { act } from './act.ts';
import { decide } from './decide.ts';
import type { HostedOptions } from './open-turn.ts';

/** The streams that the protocol goes over. */
export interface HostStreams {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** What an action has left when the input has ended and it has been told to stop. */
const STOP_GRACE_MS = 2000;

/**
 * Serves the decisions and the actions of a skill until the input ends: a JSON object a line, requests in, replies out, in
 * any order.
 * @param streams absent: the standard streams of this process. Whatever else writes to its stdout goes to stderr then.
 */
export async function serveHost(
  definition: SkillDefinition,
  options: HostedOptions = {},
  streams: HostStreams = ownStreams(),
): Promise<void> {
  const { warn = (line) => void process.stderr.write(`[skill-kit] ${line}\n`) } = options;
  const running = new Map<number, AbortController>();
  const send = (reply: CodeHostReply): void => {
    streams.output.write(`${JSON.stringify(reply)}\n`);
  };
  for await (const line of createInterface({ input: streams.input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue;
    // Written by a worker, which is the only one that starts us.
    const request = JSON.parse(line) as CodeHostRequest;
    if (request.op === 'cancel')
      running.get(request.request)?.abort(new Error('the action is no longer wanted'));
    else void answer(definition, request, { ...options, warn }, running).then(send);
  }
  for (const abort of running.values()) abort.abort(new Error('the worker is being stopped'));
}

async function answer(
  definition: SkillDefinition,
  request: Exclude<CodeHostRequest, { op: 'cancel' }>,
  options: HostedOptions,
  running: Map<number, AbortController>,
): Promise<CodeHostReply> {
  const { id } = request;
  const abort = new AbortController();
  running.set(id, abort);
  try {
    if (request.op === 'act') return { id, value: await act(definition, request, abort.signal, options) };
    return { id, ...(await decide(definition, request, options)) };
  } catch (error) {
    return {
      id,
      error: { code: codeOf(error), message: error instanceof Error ? error.message : String(error) },
    };
  } finally {
    running.delete(id);
  }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'Error';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

/** Takes stdout for the protocol alone: one stray line of an author's code would be taken for an answer. */
function ownStreams(): HostStreams {
  const { stdout, stderr, stdin } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  const output = { write: (text: string) => write(text) } as unknown as NodeJS.WritableStream;
  // A promise that an author has forgotten must not end the turns of others.
  process.on('unhandledRejection', (reason) => {
    stderr.write(
      `[skill-kit] unhandled rejection: ${reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)}\n`,
    );
  });
  // The worker has gone, or wants us to go: an action that does not listen is not waited for.
  stdin.once('end', () => setTimeout(() => process.exit(), STOP_GRACE_MS).unref());
  return { input: stdin, output };
}
