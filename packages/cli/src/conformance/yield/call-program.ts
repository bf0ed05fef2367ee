import { runProgram } from '@skillyard/program/cli';
import { type Ended, inherited } from '../run-process.ts';

/** Where and with what a command line is run. */
export interface ProgramCall {
  readonly cwd: string;
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a command line of our supervisor in this process: what it starts are processes all the same. */
export async function callProgram(args: readonly string[], call: ProgramCall): Promise<Ended> {
  let [stdout, stderr] = ['', ''];
  const exit = await runProgram(args, {
    cwd: call.cwd,
    env: { ...inherited(), ...call.env },
    input: inputOf(call.stdin ?? ''),
    stdout: (text) => {
      stdout += text;
    },
    stderr: (text) => {
      stderr += text;
    },
  });
  return { exit, stdout, stderr };
}

async function* inputOf(text: string): AsyncGenerator<string> {
  if (text !== '') yield text;
}
