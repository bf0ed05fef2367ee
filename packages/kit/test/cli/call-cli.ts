import { runCli } from '../../src/cli/index.ts';
import type { Buildable } from '../../src/definition/skill-definition.ts';

export interface CallResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** One call of the command line, in this process. */
export async function callCli(
  skill: Buildable,
  argv: readonly string[],
  skillDir = '/nowhere',
): Promise<CallResult> {
  let stdout = '';
  let stderr = '';
  const code = await runCli(skill, {
    argv,
    env: {},
    skillDir,
    stdout: (text) => void (stdout += text),
    stderr: (text) => void (stderr += text),
  });
  return { code, stdout, stderr };
}
