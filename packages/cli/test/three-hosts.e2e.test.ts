/** One skill, three hosts: an agent's shell, an MCP client, the platform. The path and the result are the same. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cpSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { turnId as asTurnId } from '@skillyard/contracts';
import { killHard, type NodeProcess, type RedisServer, startRedis } from '@skillyard/testing';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CliRun, openWorkplace, type Workplace } from './cli-process.ts';
import { lookUntil } from './look-until.ts';

const EXAMPLE = fileURLToPath(new URL('../../../examples/kit/disk-janitor', import.meta.url));
const PATH = ['look', 'diagnose', 'approve', 'set-aside', 'report'];
const SUMMARY = { summary: 'One of two files was left over. It lies in set-aside now.' };
const ANSWERS: Readonly<Record<string, unknown>> = {
  diagnose: {
    judgements: [
      { name: 'notes.md', verdict: 'keep', why: 'notes' },
      { name: 'server.log.1', verdict: 'aside', why: 'a rotated log' },
    ],
  },
  approve: { approved: true },
  report: SUMMARY,
};
const SCRIPT = JSON.stringify({
  steps: {
    diagnose: [{ text: JSON.stringify(ANSWERS['diagnose']) }],
    report: [{ text: JSON.stringify(SUMMARY) }],
  },
});

/** What a run came to, whoever hosted it. */
interface Seen {
  readonly path: readonly string[];
  readonly result: unknown;
}

const redis: RedisServer | undefined = await startRedis({ owned: true, appendOnly: true });
afterAll(() => redis?.stop());

describe('one skill in three hosts', { timeout: 180_000 }, () => {
  let place: Workplace;
  let clutter = '';
  let prefix = '';
  let env: Readonly<Record<string, string>> = {};
  const processes: NodeProcess[] = [];

  beforeEach(async () => {
    place = await openWorkplace();
    clutter = join(place.folder, 'clutter');
    env = { REDIS_URL: redis?.url ?? '' };
    prefix = `hosts-${randomUUID().slice(0, 8)}`;
    await mkdir(clutter);
    for (const name of ['notes.md', 'server.log.1']) await writeFile(join(clutter, name), name);
    // Without the tests beside it: what is built is what an author has.
    cpSync(join(EXAMPLE, 'skill.ts'), join(place.folder, 'skill.ts'));
    const config = {
      models: { m: { provider: 'scripted', script: 'answers.yaml', structured_output: true } },
      skills: ['skills'],
      redis: { prefix },
    };
    await place.write({ 'skillyard.yaml': JSON.stringify(config), 'answers.yaml': SCRIPT });
    const built = await run('kit', 'build', 'skill.ts', '-o', 'skills/disk-janitor', '--mode', 'node');
    expect(built).toMatchObject({ code: 0 });
  });
  afterEach(async () => {
    await Promise.all(processes.splice(0).map((one) => killHard(one)));
    await place.remove();
  });

  const run = (...args: string[]): Promise<CliRun> => place.run(args, env);
  const moved = (): Promise<string[]> => readdir(join(clutter, 'set-aside'));

  it('runs in a shell, from a folder that lies elsewhere, with nothing but Node', async () => {
    const elsewhere = join(place.folder, 'elsewhere', 'janitor');
    cpSync(join(place.folder, 'skills', 'disk-janitor'), elsewhere, { recursive: true });
    const shell = { cwd: dirname(elsewhere), env: { PATH: `${dirname(process.execPath)}:/usr/bin:/bin` } };
    const call = async (...args: string[]): Promise<Reply> => {
      const { stdout } = await promisify(execFile)(join(elsewhere, 'scripts', 'run'), args, shell);
      return JSON.parse(stdout) as Reply;
    };
    const params = JSON.stringify({ folder: clutter });
    const history: Recorded[] = [];
    let reply = await call('--params', params);
    history.push(...newIn(reply));
    while (reply.kind === 'prompt') {
      const output = JSON.stringify(ANSWERS[reply.step]);
      const given = ['--params', params, '--history', JSON.stringify(history)];
      reply = await call('advance', '--step', reply.step, '--output', output, ...given);
      history.push(...newIn(reply));
    }
    const seen: Seen = { path: history.map(({ step }) => step), result: reply.finalOutput };
    expect(seen).toEqual({ path: PATH, result: SUMMARY });
    expect(await moved()).toEqual(['server.log.1']);
  });

  it('runs with an MCP client', async () => {
    const command = join(place.folder, 'skills', 'disk-janitor', 'scripts', 'run');
    const client = new Client({ name: 'an agent', version: '1.0.0' });
    await client.connect(new StdioClientTransport({ command, args: ['mcp'] }));
    try {
      const call = async (name: string, args: Record<string, unknown>): Promise<McpReply> => {
        const { content } = await client.callTool({ name, arguments: args });
        const [first] = content;
        return JSON.parse(first?.type === 'text' ? first.text : '') as McpReply;
      };
      const prompted: string[] = [];
      let reply = await call('start', { params: { folder: clutter } });
      const { session } = reply;
      while (reply.status === 'prompt') {
        prompted.push(reply.step);
        reply = await call('advance', { session, step: reply.step, output: ANSWERS[reply.step] });
      }
      // Steps without a prompt are passed inside the server: what they did is in the folder.
      expect(prompted).toEqual(PATH.filter((step) => Object.hasOwn(ANSWERS, step)));
      expect(reply.finalOutput).toEqual(SUMMARY);
      expect(await moved()).toEqual(['server.log.1']);
    } finally {
      await client.close();
    }
  });

  it('runs as a turn in one process', async () => {
    await place.write({ 'people.json': '{"approve": true}' });
    const args = ['skill.ts', '--var', `folder=${clutter}`, '--answers', 'people.json', '--json'];
    const { stdout } = await run('run', ...args);
    expect(seenIn(stdout)).toEqual({ path: PATH, result: SUMMARY });
    expect(await moved()).toEqual(['server.log.1']);
  });

  it.skipIf(redis === undefined)(
    'runs as a turn over queues, though every process is killed between any two steps',
    async () => {
      const submitted = await run('submit', 'skills/disk-janitor', '--var', `folder=${clutter}`);
      const turnId = submitted.stdout.trim();
      const waitsFor = (what: RegExp): Promise<void> =>
        lookUntil(
          { url: redis?.url ?? '', prefix },
          async (system) => what.test(JSON.stringify((await system.explain(asTurnId(turnId))).jobs)),
          String(what),
        );

      // Each time only those run that can do the next step: the others are missing, so the turn stops at a step.
      await during(['action'], () => waitsFor(/diagnose/));
      await during(['model'], () => waitsFor(/decide/));
      await during(['action'], () => waitsFor(/person/));
      expect(await run('answer', turnId, 'yes')).toMatchObject({ code: 0 });
      await expect(moved()).rejects.toThrow('ENOENT');
      await during(['action'], () => waitsFor(/report/));
      expect(await moved()).toEqual(['server.log.1']);
      await during(['model'], () => waitsFor(/decide/));
      await during(['action'], async () => {
        expect(seenIn((await run('watch', turnId, '--json')).stdout)).toEqual({
          path: PATH,
          result: SUMMARY,
        });
      });
      expect(await readFile(join(clutter, 'set-aside', 'server.log.1'), 'utf8')).toBe('server.log.1');
    },
  );

  /** Runs an orchestrator and workers of some classes, and in the end kills all of them and Redis, as a power cut does. */
  async function during(classes: readonly string[], work: () => Promise<unknown>): Promise<void> {
    const commands = [['orchestrator'], ...classes.map((name) => ['worker', '--class', name])];
    processes.push(...commands.map((args) => place.start([...args, '--json'], env)));
    await Promise.all(processes.map((one) => one.wrote('"event":"ready"')));
    await work();
    await Promise.all(processes.splice(0).map((one) => killHard(one)));
    await redis?.restart();
  }
});

interface Recorded {
  readonly step: string;
}

interface Reply {
  readonly kind: string;
  readonly step: string;
  readonly completed?: Recorded;
  readonly autoAdvanced?: readonly Recorded[];
  readonly finalOutput?: unknown;
}

interface McpReply {
  readonly session: string;
  readonly status: string;
  readonly step: string;
  readonly finalOutput?: unknown;
}

function newIn({ completed, autoAdvanced = [] }: Reply): readonly Recorded[] {
  return completed === undefined ? autoAdvanced : [completed, ...autoAdvanced];
}

/** The path of a turn: the steps in its rows, each once, without the row of the code around them. */
function seenIn(stdout: string): Seen {
  const lines = stdout.trim().split('\n');
  const turn = JSON.parse(lines.at(-1) ?? '') as {
    readonly answer: string;
    readonly steps: readonly { readonly name: string; readonly kind: string }[];
  };
  const names = turn.steps.filter(({ kind }) => kind !== 'code').map(({ name }) => name);
  return { path: [...new Set(names)], result: JSON.parse(turn.answer) };
}
