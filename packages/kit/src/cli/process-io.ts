import { Console } from 'node:console';
import { dirname, resolve } from 'node:path';
import type { CliIo } from './cli-io.ts';

/** The folder of the skill that this process runs: its program lies in a folder of it. */
export function ownSkillDir(): string {
  const { env, argv } = process;
  return env['SKILL_DIR'] ?? dirname(dirname(resolve(argv[1] ?? '')));
}

/** This process as the command line sees it. What the author's code prints goes to stderr: stdout is for results alone. */
export function processIo(): CliIo & { exit(code: number): Promise<void> } {
  const { stdout, stderr, env, argv } = process;
  const write = stdout.write.bind(stdout);
  globalThis.console = new Console(stderr, stderr);
  // A server owns stdout itself.
  if (argv[2] !== 'mcp') stdout.write = stderr.write.bind(stderr);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // Once: who asks again does not want to wait for what the first time has begun.
    process.once(signal, () => stop.abort(new Error(`interrupted by ${signal}`)));
  }
  return {
    argv: argv.slice(2),
    env,
    skillDir: ownSkillDir(),
    stdout: (text) => void write(text),
    stderr: (text) => void stderr.write(text),
    signal: stop.signal,
    async exit(code) {
      // A pipe takes what is written later; ending before would cut it off. Not ending would wait for whatever the author left open.
      await new Promise<void>((done) => write('', () => done()));
      await new Promise<void>((done) => stderr.write('', () => done()));
      process.exit(code);
    },
  };
}
