/**
 * Processes of a benchmark. The parent asks by message, the child answers by message; a process that is measured does
 * nothing else than its part.
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A process under measurement, as its parent sees it. */
export interface BenchProcess {
  /** Has it do something and waits until it is done. */
  ask<Answer>(command: string, argument?: unknown): Promise<Answer>;
  /** Microseconds of CPU it has used since it was started. */
  cpuUs(): Promise<number>;
  stop(): Promise<void>;
}

interface Question {
  readonly id: number;
  readonly command: string;
  readonly argument: unknown;
}

interface Reply {
  readonly id: number;
  readonly answer?: unknown;
  readonly error?: string;
}

const READY = 'ready';

/**
 * Starts a file of this folder as a process and waits until it serves.
 * With BENCH_CPU_PROFILE=<folder> every process leaves a CPU profile there when it ends.
 */
export async function startProcess(file: string, args: readonly string[]): Promise<BenchProcess> {
  const folder = process.env['BENCH_CPU_PROFILE'];
  const profile = folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}/${file}`];
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), [...args], {
    execArgv: ['--import', 'tsx', ...profile],
  });
  const waiting = new Map<number, { resolve(answer: unknown): void; reject(error: Error): void }>();
  const gone = new Promise<void>((resolve) => {
    child.once('exit', (code) => {
      for (const one of waiting.values()) one.reject(new Error(`${file} ended with ${code ?? 'a signal'}`));
      resolve();
    });
  });
  let nextId = 0;
  const ask = <Answer>(command: string, argument?: unknown): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const question: Question = { id: nextId++, command, argument };
      waiting.set(question.id, { resolve: (answer) => resolve(answer as Answer), reject });
      if (command !== READY) child.send(question);
    });
  // A child that serves answers this question without having been asked: it cannot listen earlier.
  const ready = ask(READY);
  child.on('message', ({ id, answer, error }: Reply) => {
    const asked = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) asked?.resolve(answer);
    else asked?.reject(new Error(`${file}: ${error}`));
  });
  await ready;
  return {
    ask,
    cpuUs: () => ask<number>('cpu'),
    stop: async () => {
      child.disconnect();
      await gone;
    },
  };
}

/** What a child does when it is asked to. */
export type Commands = Readonly<Record<string, (argument: never) => unknown>>;

/** Serves the parent's questions, until the parent goes away. */
export function serve(commands: Commands): void {
  const all: Commands = {
    ...commands,
    cpu: () => {
      const { user, system } = process.cpuUsage();
      return user + system;
    },
  };
  const send = (reply: Reply): void => void process.send?.(reply);
  process.on('message', ({ id, command, argument }: Question) => {
    Promise.resolve(all[command]?.(argument as never)).then(
      (answer) => send({ id, answer }),
      (error: unknown) => send({ id, error: String(error) }),
    );
  });
  process.once('disconnect', () => process.exit());
  send({ id: 0 });
}
