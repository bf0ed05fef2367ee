/** One program, three hosts: its own supervisor, the platform in one process, the platform over queues. The log is the same. */
import { randomUUID } from 'node:crypto';
import { cpSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Answers,
  type Config,
  type JobId,
  type StepJob,
  turnId as asTurnId,
  type TurnId,
} from '@skillyard/contracts';
import { answerResult, compileProgram, loadSkill } from '@skillyard/engine';
import { createExecutors, localJournal } from '@skillyard/executors';
import { type AnsweredOperation, operationsOf } from '@skillyard/program/hosted';
import { membersOf, respondRun, startRun } from '@skillyard/program/supervisor';
import { RedisJournal } from '@skillyard/queue';
import { runTurn } from '@skillyard/runtime';
import { killHard, type NodeProcess, type RedisServer, startRedis } from '@skillyard/testing';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorkplace, type Workplace } from './cli-process.ts';
import { deployProgram, SDK } from './deploy-program.ts';
import { lookUntil } from './look-until.ts';
import { type SystemPlace, withSystem } from './with-system.ts';

/** A question, a task and a command, each twice, and a last question. What the command prints shows how often it ran. */
const FERRY = `
import { main } from '${SDK}';

const CREW = { type: 'object', required: ['hands'], properties: { hands: { type: 'integer' }, note: { type: 'string' } } };

main((ctx) => {
  const away = [];
  for (const pier of ['north', 'south']) {
    const tide = ctx.askUser('tide', 'Which tide at the ' + pier + ' pier?', [{ value: 'high' }, { value: 'low', label: 'Low <&>' }]);
    const { hands } = ctx.agentTask('crew', 'How many hands at ' + tide + ' tide?', { pier, away }, CREW);
    const cast = ctx.runCommand('cast-off', 'echo ' + pier + ' >> log.txt; cat log.txt; echo "<&>" >&2', 30);
    ctx.require(cast.exit_code === 0, 'the ferry at the ' + pier + ' pier is away', cast);
    away.push({ pier, tide, hands, log: cast.stdout });
  }
  return { away, to: ctx.askUser('sail', 'Where to?') };
});
`;
const TIDES = ['low', 'high'];
/** As a model writes them: with blanks, and with a number that no double holds. */
const CREWS = ['{ "hands": 3 }', '{"hands": 90071992547409931, "note": "<&> \\u00e9"}'];
const HARBOUR = 'Föhr';
const CONFIG: Config = {
  models: { m: { provider: 'scripted', script: 'answers.yaml', structured_output: true } },
  skills: ['skills'],
  commands: { allow: ['*'] },
};

/** What a host came to. */
interface Seen {
  readonly operations: readonly AnsweredOperation[];
  readonly result: string;
}

const redis: RedisServer | undefined = await startRedis({ owned: true, appendOnly: true });
afterAll(() => redis?.stop());

describe('one program in three hosts', { timeout: 180_000 }, () => {
  let place: Workplace;
  let system: SystemPlace;
  const processes: NodeProcess[] = [];

  beforeEach(async () => {
    place = await openWorkplace();
    system = { url: redis?.url ?? '', prefix: `program-${randomUUID().slice(0, 8)}` };
    await place.write({
      'skillyard.yaml': JSON.stringify({ ...CONFIG, redis: { prefix: system.prefix } }),
      'answers.yaml': JSON.stringify({ steps: { crew: CREWS.map((text) => ({ text })) } }),
    });
    await deployProgram(place, 'alone/ferry', { name: 'ferry', source: FERRY });
    cpSync(join(place.folder, 'alone'), join(place.folder, 'skills'), { recursive: true });
  });
  afterEach(async () => {
    await Promise.all(processes.splice(0).map((one) => killHard(one)));
    await place.remove();
  });

  it('comes to the same operations in one process', async () => {
    const [alone, local] = [await runAlone(join(place.folder, 'alone/ferry')), await runLocal(place.folder)];
    expect(alone.operations).toHaveLength(7);
    expect(alone.operations[4]?.result).toBe('{"hands":90071992547409931,"note":"<&> \\u00e9"}');
    expect(alone.operations[5]?.result).toBe('{"exit_code":0,"stdout":"north\\nsouth\\n","stderr":"<&>\\n"}');
    expect(local).toEqual(alone);
  });

  it.skipIf(redis === undefined)(
    'comes to the same operations over queues, though every process is killed between any two of them',
    async () => {
      const alone = await runAlone(join(place.folder, 'alone/ferry'));
      const turnId = await submit();
      const waitsFor = (what: string): Promise<void> =>
        lookUntil(
          system,
          async (running) => JSON.stringify((await running.explain(turnId)).jobs).includes(what),
          what,
        );

      // Each time only those run that can do the next operation: the others are missing, so the turn stops there.
      await during(['action'], () => waitsFor('person'));
      await answer(turnId, TIDES[0]);
      await during(['action'], () => waitsFor('crew'));
      await during(['model', 'action'], () => waitsFor('cast-off'));
      await during(['command', 'action'], () => waitsFor('person'));
      await answer(turnId, TIDES[1]);
      await during(['action', 'model'], () => waitsFor('cast-off'));
      await during(['command', 'action'], () => waitsFor('sail'));
      const operations = await operationsIn(turnId);
      await answer(turnId, HARBOUR);
      await during(['action'], async () => {
        expect(await answerOf(turnId)).toBe(alone.result);
      });
      expect(operations).toEqual(alone.operations.slice(0, 6));
      expect(await readFile(join(place.folder, 'skills/ferry/log.txt'), 'utf8')).toBe('north\nsouth\n');
    },
  );

  /** Runs an orchestrator and workers of some classes, and in the end kills all of them and Redis, as a power cut does. */
  async function during(classes: readonly string[], work: () => Promise<unknown>): Promise<void> {
    const worker = ['worker', ...classes.flatMap((name) => ['--class', name])];
    const env = { REDIS_URL: system.url };
    processes.push(...[['orchestrator'], worker].map((args) => place.start([...args, '--json'], env)));
    await Promise.all(processes.map((one) => one.wrote('"event":"ready"')));
    await work();
    await Promise.all(processes.splice(0).map((one) => killHard(one)));
    await redis?.restart();
  }

  async function submit(): Promise<TurnId> {
    const file = join(place.folder, 'skills/ferry/skill.yaml');
    const text = await readFile(file, 'utf8');
    return withSystem(system, (running) => running.submit({ text, file, vars: {} }));
  }

  function answer(turnId: TurnId, text: string | undefined): Promise<void> {
    return withSystem(system, async (running) => {
      const [open] = (await running.questionsOf(turnId)).questions;
      await running.answer(turnId, open?.jobId as JobId, [text ?? '']);
    });
  }

  function operationsIn(turnId: TurnId): Promise<readonly AnsweredOperation[]> {
    return withSystem(system, async (_running, connection) =>
      operationsOf(await new RedisJournal(connection).load(turnId, '0.journal', 100)),
    );
  }

  function answerOf(turnId: TurnId): Promise<string | undefined> {
    return withSystem(system, async (running) => {
      let last: string | undefined;
      for await (const { outcome } of running.watch(turnId, AbortSignal.timeout(60_000)))
        last = outcome?.answer;
      return last;
    });
  }
});

/** With its own supervisor. */
async function runAlone(folder: string): Promise<Seen> {
  const supervision = { folder, env: { PATH: process.env['PATH'] }, onStderr: () => {} };
  const tides = TIDES.values();
  const crews = CREWS.values();
  let progress = await startRun(supervision, null);
  while (progress.kind === 'pending') {
    const { id } = progress.envelope.request;
    const given =
      id === 'crew'
        ? { resultJson: crews.next().value ?? '' }
        : { value: id === 'tide' ? (tides.next().value ?? '') : HARBOUR };
    progress = await respondRun(supervision, progress.runId, given);
  }
  const runs = join(folder, '.yield/runs');
  const log = (await readdir(runs)).find((name) => name.endsWith('.jsonl')) ?? '';
  return {
    operations: operationsInLog(await readFile(join(runs, log), 'utf8')),
    result: progress.result ?? '',
  };
}

/** The texts stand in the log as they are: nothing here parses them. */
function operationsInLog(log: string): AnsweredOperation[] {
  const operations: AnsweredOperation[] = [];
  let request = '';
  for (const line of log.trim().split('\n')) {
    const event = new Map(membersOf(line));
    const data = new Map(membersOf(event.get('data') ?? '{}'));
    if (event.get('type') === '"operation.requested"') request = data.get('request') ?? '';
    if (event.get('type') === '"operation.completed"')
      operations.push({ sequence: Number(data.get('sequence')), request, result: data.get('result') ?? '' });
  }
  return operations;
}

/** With the driver that has no queues. */
async function runLocal(folder: string): Promise<Seen> {
  const journal = localJournal();
  const env = { PATH: process.env['PATH'] };
  const skillFolder = join(folder, 'skills/ferry');
  const executors = createExecutors({
    config: CONFIG,
    baseDir: folder,
    env,
    journal,
    codeFolders: [skillFolder],
  });
  const path = join(skillFolder, 'skill.yaml');
  const { skill } = loadSkill(await readFile(path, 'utf8'));
  if (skill === null) throw new Error(`${path} is no skill`);
  const tides = TIDES.values();
  const answersTo = ({ step }: StepJob): Answers => [step === 'tide' ? (tides.next().value ?? '') : HARBOUR];
  try {
    const { outcome } = await runTurn({
      program: compileProgram(skill),
      turnId: 'ferry-1',
      execute: async (job, context) =>
        job.kind === 'ask' ? answerResult(job, answersTo(job)) : executors.execute(job, context),
    });
    expect(outcome.error).toBeNull();
    const rounds = await journal.load(asTurnId('ferry-1'), '0.journal', 100);
    return { operations: operationsOf(rounds), result: outcome.answer };
  } finally {
    await executors.close();
  }
}
