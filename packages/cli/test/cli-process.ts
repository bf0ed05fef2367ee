import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type NodeProcess, spawnNode } from '@skillyard/testing';
import { runCommandLine } from '../src/command-line.ts';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

/** How a run of the command ended. */
export interface CliRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder of files in which the command is run. */
export interface Workplace {
  readonly folder: string;
  write(files: Readonly<Record<string, string>>): Promise<void>;
  /** Runs the built command in a process of its own. */
  start(args: readonly string[], env?: Readonly<Record<string, string>>): NodeProcess;
  /**
   * Runs the command to its end, in this process: it touches the process only by what it is given, and starting one for each
   * line of a test would take longer than all else. Nothing is on its standard input.
   */
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<CliRun>;
  remove(): Promise<void>;
}

/** Nothing of the machine the tests run on may decide: no colours, no configuration, no Redis of its own. */
const NEUTRAL = {
  NO_COLOR: '1',
  FORCE_COLOR: '',
  SKILLYARD_CONFIG: '',
  SKILLYARD_API_URL: '',
  SKILLYARD_API_KEY: '',
  REDIS_URL: '',
};

export async function openWorkplace(): Promise<Workplace> {
  const folder = await mkdtemp(join(tmpdir(), 'skillyard-cli-'));
  const start: Workplace['start'] = (args, env = {}) =>
    spawnNode(MAIN, args, { cwd: folder, env: { ...NEUTRAL, ...env } });
  return {
    folder,
    async write(files) {
      for (const [name, text] of Object.entries(files)) {
        await mkdir(dirname(join(folder, name)), { recursive: true });
        await writeFile(join(folder, name), text);
      }
    },
    start,
    async run(args, env = {}) {
      const written = { stdout: '', stderr: '' };
      const code = await runCommandLine(args, {
        cwd: folder,
        env: { ...process.env, ...NEUTRAL, ...env },
        stdin: Readable.from([]),
        stdout: { write: (text) => (written.stdout += text) },
        stderr: { write: (text) => (written.stderr += text) },
        onInterrupt: () => () => {},
        exitNow: (exitCode) => {
          throw new Error(`the command ends its process with ${exitCode}`);
        },
      });
      return { code, ...written };
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A skill file with these steps. */
export function skill(steps: readonly unknown[], more: Readonly<Record<string, unknown>> = {}): string {
  const { name = 'tryout', ...workflow } = more;
  const file = {
    skill_engine_version: '2.5.0',
    name,
    description: 'For a test.',
    workflow: { ...workflow, steps },
  };
  // JSON is YAML.
  return JSON.stringify(file, null, 2);
}
