/**
 * The value of recorded source text. It is code, as the recorded skills are, and is run as such.
 * @param scope what it may use, by name
 */
export function evaluate(source: string, scope: Readonly<Record<string, unknown>> = {}): unknown {
  // oxlint-disable-next-line typescript/no-implied-eval -- a recording is trusted as a test is
  const run = new Function(...Object.keys(scope), `return (${source});`) as (...values: unknown[]) => unknown;
  return run(...Object.values(scope));
}
