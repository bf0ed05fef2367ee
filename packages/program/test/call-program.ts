import { type ProgramIo, runProgram } from '../src/cli/index.ts';

export interface Called {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command line in this process, as it is typed: words with single blanks between them. */
export async function callProgram(
  cwd: string,
  line: string,
  given: Partial<Pick<ProgramIo, 'env' | 'signal'>> = {},
): Promise<Called> {
  let stdout = '';
  let stderr = '';
  const exitCode = await runProgram(line.split(' '), {
    cwd,
    env: process.env,
    ...given,
    input: nothing(),
    stdout: (text) => (stdout += text),
    stderr: (text) => (stderr += text),
  });
  return { exitCode, stdout, stderr };
}

async function* nothing(): AsyncGenerator<string> {
  // No line is typed.
}
