import type { Surroundings } from '../surroundings.ts';
import { withCancellation } from './with-cancellation.ts';

/** The command line of another package, as it sees its process. */
type Forwarded = (
  args: readonly string[],
  io: Pick<Surroundings, 'cwd' | 'env'> & {
    readonly input: Surroundings['stdin'];
    stdout(text: string): void;
    stderr(text: string): void;
    readonly signal: AbortSignal;
  },
) => Promise<number>;

/**
 * Hands a command line on, with the streams of this one. Ctrl-C aborts it.
 * @returns its exit code
 */
export function forward(
  run: Forwarded,
  args: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  const { cwd, env, stdin: input } = surroundings;
  return withCancellation(surroundings, undefined, (signal) =>
    run(args, {
      cwd,
      env,
      input,
      stdout: (text) => void surroundings.stdout.write(text),
      stderr: (text) => void surroundings.stderr.write(text),
      signal,
    }),
  );
}
