import { randomUUID } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '@skillyard/contracts';
import {
  type HttpToolServer,
  type ModelServer,
  type RedisServer,
  startHttpToolServer,
  startModelServer,
  startRedis,
} from '@skillyard/testing';
import { CODE, CODE_HOST, HELPER, PROGRAM, PROGRAM_FOLDER } from './kinds.ts';
import { TOOL_CLASS } from './tool-class.ts';

/** A generation whose prompt has this word takes {@link HELD_MS}. */
export const HOLD = 'HOLD';
/** Longer than it takes to notice a death and to start again, on a busy machine too. What nobody stops is waited for. */
export const HELD_MS = 12_000;

/** What the system under test works with. None of it is ever killed, but for Redis. */
export interface World {
  readonly redis: RedisServer;
  readonly model: ModelServer;
  readonly tools: HttpToolServer;
  /** A configuration of a system of its own: its keys have a prefix nobody else has. */
  config(): Config;
  /** A file that counts the executions of a tool. */
  file(name: string): string;
  /** The lines of such a file, none when nothing was executed. */
  lines(name: string): Promise<string[]>;
  close(): Promise<void>;
}

/**
 * @param modelMs how long a generation takes
 * @returns undefined when there is no redis-server
 */
export async function openWorld(modelMs = 0): Promise<World | undefined> {
  const redis = await startRedis({ owned: true, appendOnly: true });
  if (redis === undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'skillyard-chaos-'));
  const [model, tools] = await Promise.all([
    startModelServer({
      script: ({ body, prompt }) => ({
        ...answerOf(body['messages'], prompt),
        delayMs: prompt.includes(HOLD) ? HELD_MS : modelMs,
      }),
    }),
    startHttpToolServer(),
  ]);
  await writeFile(join(folder, 'helper.yaml'), HELPER);
  await mkdir(join(folder, 'code'));
  await writeFile(join(folder, 'code/host.mjs'), CODE_HOST);
  await writeFile(join(folder, 'code/skill.yaml'), CODE.skill);
  await cp(PROGRAM_FOLDER, join(folder, 'program'), { recursive: true });
  await writeFile(join(folder, 'program/skill.yaml'), PROGRAM.skill);
  return {
    redis,
    model,
    tools,
    config: () => ({
      default_model: 'main',
      models: { main: { provider: 'openai-compatible', base_url: model.url, model: 'double' } },
      servers: {
        [TOOL_CLASS]: {
          url: tools.url,
          effects: { append: 'once', upsert: 'idempotent', gate: 'idempotent', echo: 'read' },
        },
      },
      skills: [folder],
      commands: { allow: ['*'] },
      redis: { prefix: `chaos-${randomUUID().slice(0, 8)}` },
    }),
    file: (name) => join(folder, name),
    lines: async (name) => {
      const text = await readFile(join(folder, name), 'utf8').catch(() => '');
      return text.split('\n').filter((line) => line !== '');
    },
    close: async () => {
      await Promise.all([model.close(), tools.close(), redis.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * What the model says: what it was told, so that every answer shows where it came from. Told to `use <tool> <args>` it
 * calls the tool, and then says what the tool said.
 */
function answerOf(messages: unknown, prompt: string): ReturnType<Exclude<Script, readonly unknown[]>> {
  const last = (messages as { role: string; content: unknown }[]).at(-1);
  if (last?.role === 'tool') return { text: `the tool said ${JSON.stringify(last.content)}` };
  const order = /^Use (\S+) (\{.*\})/.exec(prompt);
  if (order === null) return { text: prompt };
  return { calls: [{ name: order[1] ?? '', args: JSON.parse(order[2] ?? '{}') as unknown }] };
}

type Script = NonNullable<NonNullable<Parameters<typeof startModelServer>[0]>['script']>;
