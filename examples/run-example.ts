import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StepFinished, TurnOutcome } from '@skillyard/contracts';
import { runCommandLine, type Surroundings } from 'skillyard';

/** The root of the repository: commands in the READMEs are typed there. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** What `skillyard run --json` prints. */
export interface TurnDocument extends TurnOutcome {
  readonly turnId: string;
  readonly steps: readonly StepFinished[];
  readonly notices: readonly StepFinished[];
}

export interface ExampleRun {
  readonly exitCode: number;
  readonly turn: TurnDocument;
}

/** Runs `skillyard run examples/<name>/skill.yaml <args> --json` in this process, with the example's real servers. */
export async function runExample(name: string, ...args: readonly string[]): Promise<ExampleRun> {
  const out: string[] = [];
  const surroundings: Surroundings = {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
    stdin: noInput(),
    stdout: { write: (text) => out.push(text) },
    stderr: { write: () => undefined },
    onInterrupt: () => () => undefined,
    exitNow: (code) => {
      throw new Error(`nobody interrupts an example, and it wants to exit with ${code}`);
    },
  };
  const command = ['run', `examples/${name}/skill.yaml`, ...args, '--json'];
  const exitCode = await runCommandLine(command, surroundings);
  return { exitCode, turn: JSON.parse(out.join('')) as TurnDocument };
}

async function* noInput(): AsyncGenerator<string> {
  await sleep(0);
  yield '';
}

/** A path taken: `name outcome` per row. Steps of loops count with their iterations, `open[3] ok`. */
export function pathOf(rows: readonly StepFinished[]): string[] {
  return rows.map(({ name, outcome, path }) => {
    const iteration = /\.i(\d+)\./.exec(path)?.[1];
    return iteration === undefined ? `${name} ${outcome}` : `${name}[${iteration}] ${outcome}`;
  });
}
