import { type ChildProcess, spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { guardGroup } from '@skillyard/processes';
import { ProgramError } from '../program-error.ts';
import { openOutputPipes, type OutputPipes } from './output-pipes.ts';
import type { CommandLimits, CommandOptions } from './command-options.ts';

/** A command that was started, in a group of processes of its own. */
export interface CommandProcess {
  readonly child: ChildProcess;
  /** Its exit code, -1 after a signal. Rejects with COMMAND_FAILED when it has not begun at all. */
  readonly exited: Promise<number>;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** What was said before the command began. It ends when that begins. */
  readonly said: Readable;
  /** The group dies with us until this is called. */
  readonly callOff: () => void;
}

/** The variable that tells the processes of a command from all others, in the environment that each of them inherits. */
export const MARK_VARIABLE = 'SKILLYARD_COMMAND';

/**
 * What stands between us and a command: it sets the limits, says on descriptor 3 which cannot be set, waits on descriptor 4
 * for a line, and becomes the command. The line comes when somebody guards its group; without one we have died, and nothing is done.
 * Everything that differs between commands is an argument: no text of a program is ever a part of this one.
 */
const PREPARE = `
while [ "$#" -gt 1 ]; do ulimit "$1" "$2" 2>&3 || exit 1; shift 2; done
read -r guarded <&4 || exit 1
exec 3>&- 4<&-
exec sh -c -- "$1"`;

/** @throws ProgramError COMMAND_FAILED when there are no pipes, or for a text that no process can be started with */
export async function startCommand(options: CommandOptions, mark: string): Promise<CommandProcess> {
  let pipes: OutputPipes | undefined;
  try {
    pipes = await openOutputPipes();
    return spawnCommand(options, mark, pipes);
  } catch (error) {
    pipes?.stdout.destroy();
    pipes?.stderr.destroy();
    throw notStarted(options, error);
  } finally {
    pipes?.closeEnds();
  }
}

function spawnCommand(options: CommandOptions, mark: string, pipes: OutputPipes): CommandProcess {
  const { command, cwd, env, limits = {} } = options;
  const outer = env[MARK_VARIABLE];
  // A command may run programs with commands of their own: whoever ends the outer one finds the inner ones, too.
  const marks = outer === undefined ? mark : `${outer},${mark}`;
  const child = spawn('sh', ['-c', PREPARE, 'sh', ...ulimits(limits), command], {
    cwd,
    env: { ...env, [MARK_VARIABLE]: marks },
    stdio: ['ignore', ...pipes.ends, 'pipe', 'pipe'],
    windowsHide: true,
    detached: true,
  });
  const exited = new Promise<number>((resolve, reject) => {
    child.once('error', (error) => reject(notStarted(options, error)));
    child.once('exit', (code) => resolve(code ?? -1));
  });
  // Whoever waits for it may begin to later.
  exited.catch(() => {});
  const { stdout, stderr } = pipes;
  const callOff = guardGroup(child);
  const guarded = child.stdio[4] as Writable;
  guarded.on('error', () => {
    // It ended before it heard: how it ended says all.
  });
  guarded.end('\n');
  return { child, exited, stdout, stderr, said: child.stdio[3] as Readable, callOff };
}

/** Why a command did not start. Of a folder that is not there the system says that `sh` is not. */
export function notStarted({ command, cwd }: CommandOptions, cause: unknown): ProgramError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const isThere = statSync(cwd, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const why = isThere ? reason : `there is no folder ${cwd}`;
  return new ProgramError('COMMAND_FAILED', `cannot run ${shown(command)}: ${why}`, { cause });
}

const LONGEST_SHOWN = 200;

function shown(command: string): string {
  return JSON.stringify(command.length > LONGEST_SHOWN ? `${command.slice(0, LONGEST_SHOWN)}…` : command);
}

const KB_PER_MB = 1024;
/** The unit of `ulimit -f` is that of old file systems. */
const BLOCKS_PER_MB = 2048;

function ulimits({ cpuSeconds, memoryMb, fileMb, openFiles }: CommandLimits): string[] {
  const set = (flag: string, limit: number | undefined): string[] =>
    limit === undefined ? [] : [flag, String(limit)];
  return [
    ...set('-t', cpuSeconds),
    ...set('-v', memoryMb && memoryMb * KB_PER_MB),
    ...set('-f', fileMb && fileMb * BLOCKS_PER_MB),
    ...set('-n', openFiles),
  ];
}
