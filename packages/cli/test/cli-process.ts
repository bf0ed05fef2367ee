import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type NodeProcess, spawnNode } from '@skillyard/testing';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

/** How a run of the built command ended. */
export interface CliRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder of files in which the command is run. */
export interface Workplace {
  readonly folder: string;
  write(files: Readonly<Record<string, string>>): Promise<void>;
  start(args: readonly string[], env?: Readonly<Record<string, string>>): NodeProcess;
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
    async run(args, env) {
      const process = start(args, env);
      process.child.stdin?.end();
      const { code } = await process.exited;
      return { code, stdout: process.stdout(), stderr: process.stderr() };
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
