import {
  type CallJob,
  classOfCode,
  type CodePosition,
  COMMAND_CLASS,
  type CommandsConfig,
  type Json,
  parseDurationMs,
  SkillyardError,
  type StepResult,
} from '@skillyard/contracts';
import { ProgramError, runCommand } from '@skillyard/program/command';
import type { CodeBundles } from '../code/code-bundles.ts';
import type { Executor, JobContext } from '../executor.ts';
import { cutToBytes } from '../memory/preview.ts';
import type { Redact } from '../redaction.ts';
import { abortError, failure, failureOf, type Outcome, settle } from '../step-failure.ts';
import { isAllowed } from './allowed-command.ts';
import type { MemoryOutputs } from './memory-outputs.ts';

/** A call that runs a command of a program. */
export type CommandJob = CallJob & { readonly at: CodePosition };

export function isCommand(job: CallJob): job is CommandJob {
  return classOfCode(job) === COMMAND_CLASS;
}

export interface CommandExecutorOptions {
  readonly config: CommandsConfig;
  readonly bundles: CodeBundles;
  /** All that commands are given. */
  readonly env: Readonly<Record<string, string>>;
  readonly outputs: MemoryOutputs;
  /** Of a result, what is shown of it wherever its text is shown. */
  readonly previewBytes: number;
  readonly redact: Redact;
}

const DEFAULT_TIMEOUT_MS = 3_600_000;
const LONGEST_SHOWN = 300;
const WHERE = ' Commands are run where `commands.cwd` of the configuration says.';

/**
 * Runs the commands of programs.
 *
 * M1 Nothing is started that the configuration does not allow.
 * M2 How a command ended is a result, a bad exit code and a time limit too; a command that did not run is a failure.
 * M3 A command that was run and whose result is lost is `lost`: nobody knows what a second time would do.
 */
export class CommandExecutor implements Executor<CommandJob> {
  readonly #options: CommandExecutorOptions;
  readonly #capMs: number;

  constructor(options: CommandExecutorOptions) {
    this.#options = options;
    const { timeout } = options.config;
    this.#capMs = (timeout === undefined ? undefined : parseDurationMs(timeout)) ?? DEFAULT_TIMEOUT_MS;
  }

  execute(job: CommandJob, context: JobContext): Promise<StepResult> {
    return settle(job, context, () => this.#run(job, context.signal));
  }

  async #run(job: CommandJob, signal: AbortSignal): Promise<Outcome> {
    const { command, timeoutMs } = job.args;
    if (typeof command !== 'string' || typeof timeoutMs !== 'number') {
      return { ...failure('TOOL_ARGUMENTS_INVALID', 'A command needs its text and its time.'), sent: false };
    }
    if (!isAllowed(command, this.#options.config.allow ?? []))
      return { ...denied(job, command), sent: false };
    const progress = { sent: false };
    try {
      return await this.#attempt(
        job,
        { command, timeoutMs: Math.min(timeoutMs, this.#capMs), signal },
        progress,
      );
    } catch (error) {
      return failed(signal.aborted ? abortError(signal) : error, progress.sent, this.#options.config.cwd);
    }
  }

  async #attempt(
    job: CommandJob,
    asked: { readonly command: string; readonly timeoutMs: number; readonly signal: AbortSignal },
    progress: { sent: boolean },
  ): Promise<Outcome> {
    const { config, bundles, env, outputs, previewBytes, redact } = this.#options;
    const cwd = config.cwd ?? (await bundles.find(job.at.code)).folder;
    progress.sent = true;
    const result = await runCommand({
      ...asked,
      cwd,
      env,
      limits: {
        cpuSeconds: config.cpu_seconds,
        memoryMb: config.memory_mb,
        fileMb: config.file_mb,
        openFiles: config.open_files,
      },
      output: outputs.storeFor(job),
    });
    // Before it is cut: half a secret would not be found.
    const text = redact(JSON.stringify(result));
    return { status: 'ok', text: cutToBytes(text, previewBytes), value: JSON.parse(text) as Json };
  }
}

function denied({ at }: CommandJob, command: string): Outcome {
  const isLong = command.length > LONGEST_SHOWN;
  const shown = JSON.stringify(isLong ? `${command.slice(0, LONGEST_SHOWN)}…` : command);
  const entry = isLong ? '["<the command>"]' : `[${shown}]`;
  return failure(
    'COMMAND_DENIED',
    `The program "${at.code.name}" wants to run ${shown}, which the configuration does not allow. If it may be run, add it: commands: {allow: ${entry}}. In an entry \`*\` stands for any text without characters that mean something to a shell.`,
  );
}

function failed(error: unknown, sent: boolean, cwd: string | undefined): Outcome {
  if (ProgramError.is(error, 'COMMAND_FAILED'))
    return { ...failure('STEP_FAILED', `${error.message}.${cwd === undefined ? '' : WHERE}`), sent: false };
  if (!SkillyardError.is(error)) {
    if (!sent) throw error;
    // A disk that is full, say.
    return lost(
      `What it wrote could not be kept: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
  return sent && error.kind === 'retryable' ? lost(error.message) : { ...failureOf(error), sent };
}

function lost(why: string): Outcome {
  const message = `${why} The command was run, and what came of it could not be kept, so it is not repeated.`;
  return { ...failure('STEP_LOST', message), status: 'lost', sent: true };
}
