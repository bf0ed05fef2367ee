import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JobId, TraceEvent, TurnId, TurnOutcome } from '@skillyard/contracts';
import { Operator } from '@skillyard/queue';
import { killHard, type NodeProcess, type RedisServer, startRedis, until } from '@skillyard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkplace, type Workplace } from './cli-process.ts';
import { deployProgram, SDK } from './deploy-program.ts';
import { lookUntil } from './look-until.ts';
import { type SystemPlace, withSystem } from './with-system.ts';

/** Says when it begins and when it ends, and goes on when it is let. */
const CAST_OFF =
  'echo start >> "$EFFECTS"; while [ -e "$EFFECTS" ] && [ ! -e "$EFFECTS.gate" ]; do sleep 0.05; done; echo end >> "$EFFECTS"';
const FERRY = `
import { readFileSync } from 'node:fs';
import { main } from '${SDK}';

main((ctx) => {
  const { order } = ctx.input;
  ctx.require(true, 'the tide was read', { tide: 'low' });
  switch (order) {
    case 'refused':
      return ctx.refused('ferries do not carry horses');
    case 'blocked':
      return ctx.blocked('the slip is taken');
    case 'requirement_failed':
      return ctx.require(false, 'the hull is dry', { litres: 12 });
    case 'denied':
      return ctx.runCommand('sink', 'false');
    case 'corrected':
      return ctx.agentTask('crew', 'How many hands?', undefined, { type: 'object', required: ['hands'], properties: { hands: { type: 'integer' } } });
    case 'diverged': {
      const hour = readFileSync(process.env.EFFECTS + '.hour', 'utf8');
      return ctx.askUser('hour', 'Sail at ' + hour + '?') + ', at ' + hour;
    }
    case 'lost':
      return ctx.runCommand('cast-off', ${JSON.stringify(CAST_OFF)}).stdout;
  }
});
`;
const ANSWERS = `
steps:
  crew:
    - {when: 'cannot be taken', text: '{"hands": 3}'}
    - {text: '{"hands": "three"}'}
`;

/** How a turn ended, and what its trace has of it. */
interface Ended {
  readonly outcome: TurnOutcome;
  readonly events: readonly TraceEvent[];
}

const redis: RedisServer | undefined = await startRedis();
afterAll(() => redis?.stop());

describe.skipIf(redis === undefined)('a turn of a program', { timeout: 120_000 }, () => {
  let place: Workplace;
  let effects = '';
  let system: SystemPlace;
  const processes: NodeProcess[] = [];

  beforeAll(async () => {
    place = await openWorkplace();
    effects = join(place.folder, 'effects');
    system = { url: redis?.url ?? '', prefix: `program-${randomUUID().slice(0, 8)}` };
    const config = {
      models: { m: { provider: 'scripted', script: 'answers.yaml', structured_output: true } },
      skills: ['skills'],
      code: { env_from: ['EFFECTS'] },
      commands: { allow: [CAST_OFF], env_from: ['EFFECTS'] },
      redis: { prefix: system.prefix },
    };
    await place.write({ 'skillyard.yaml': JSON.stringify(config), 'answers.yaml': ANSWERS });
    await deployProgram(place, 'skills/ferry', { name: 'ferry', source: FERRY });
    await Promise.all([start('orchestrator'), startWorker()]);
  }, 60_000);
  afterAll(async () => {
    await Promise.all(processes.splice(0).map((one) => killHard(one)));
    await place.remove();
  });

  async function start(...args: string[]): Promise<NodeProcess> {
    const started = place.start([...args, '--json'], { EFFECTS: effects, REDIS_URL: system.url });
    processes.push(started);
    await started.wrote('"event":"ready"');
    return started;
  }

  function startWorker(): Promise<NodeProcess> {
    return start('worker', '--class', 'model', '--class', 'action', '--class', 'command');
  }

  async function submit(order: string): Promise<TurnId> {
    const file = join(place.folder, 'skills/ferry/skill.yaml');
    const text = await readFile(file, 'utf8');
    return withSystem(system, (running) => running.submit({ text, file, vars: { order } }));
  }

  function endOf(turnId: TurnId): Promise<Ended> {
    return withSystem(system, async (running) => {
      const events: TraceEvent[] = [];
      for await (const { event, outcome } of running.watch(turnId, AbortSignal.timeout(60_000))) {
        events.push(event);
        if (outcome !== undefined) return { outcome, events };
      }
      throw new Error(`turn ${turnId} has not ended`);
    });
  }

  function operate(work: (operator: Operator) => Promise<unknown>): Promise<unknown> {
    return withSystem(system, (_running, connection) => work(new Operator(connection)));
  }

  it.each([
    ['refused', 'ferries do not carry horses'],
    ['blocked', 'the slip is taken'],
    ['requirement_failed', 'the hull is dry'],
  ])('ends as %s with its reason, and with what the program claimed on what evidence', async (order, why) => {
    const { outcome, events } = await endOf(await submit(order));
    expect(outcome).toMatchObject({ status: order, exitReason: why, error: null });
    const digest = expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string;
    const requirements = [
      { claim: 'the tide was read', passed: true, evidenceDigest: digest },
      ...(order === 'requirement_failed' ? [{ claim: why, passed: false, evidenceDigest: digest }] : []),
    ];
    expect(outcome.requirements).toEqual(requirements);
    const checked = events.flatMap((event) =>
      event.type === 'requirement.checked' ? [event.requirement] : [],
    );
    expect(checked).toEqual(outcome.requirements);
  });

  it('ends as denied when the configuration does not allow its command', async () => {
    const { outcome } = await endOf(await submit('denied'));
    expect(outcome).toMatchObject({ status: 'denied', error: { code: 'COMMAND_DENIED' } });
  });

  it('has a model correct its answer, in a row of its own', async () => {
    const { outcome, events } = await endOf(await submit('corrected'));
    expect(outcome).toMatchObject({ status: 'completed', answer: '{"hands":3}' });
    const rows = events.flatMap((event) => (event.type === 'step.finished' ? [event] : []));
    expect(rows.map(({ name, outcome: how }) => [name, how])).toEqual([
      ['crew', 'error'],
      ['crew', 'ok'],
      ['ferry', 'ok'],
    ]);
  });

  it('fails when the program diverges, with both digests and the place, and goes on when it no longer does', async () => {
    const hour = (text: string): Promise<void> => writeFile(`${effects}.hour`, text);
    await hour('nine');
    const turnId = await submit('diverged');
    const isAsked = async (running: Parameters<Parameters<typeof lookUntil>[1]>[0]): Promise<boolean> =>
      (await running.questionsOf(turnId)).questions.length > 0;
    await lookUntil(system, isAsked, 'its question');
    await hour('ten');
    await withSystem(system, (running) => running.answer(turnId, `${turnId}.0.v0.q` as JobId, ['yes']));
    const { outcome } = await endOf(turnId);
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'PROGRAM_DIVERGED' } });
    expect(outcome.error?.message).toMatch(
      /operation 1 \("hour"\): .*payload\.question.* Recorded sha256:[0-9a-f]{64}, now sha256:[0-9a-f]{64}\. /,
    );
    for (const said of ['nine', 'ten']) expect(outcome.error?.message).toContain(said);
    await hour('nine');
    await operate((operator) => operator.redrive(`${turnId}.0.d1` as JobId, 'anna'));
    expect((await endOf(turnId)).outcome).toMatchObject({ status: 'completed', answer: 'yes, at nine' });
  });

  it('never runs a command again whose worker died, and takes what an operator saw of it', async () => {
    const turnId = await submit('lost');
    const done = async (): Promise<string> => readFile(effects, 'utf8').catch(() => '');
    await until(async () => (await done()) === 'start\n', 30_000, 'its command');
    const worker = processes.at(-1);
    await startWorker();
    if (worker !== undefined) await killHard(worker);
    expect((await endOf(turnId)).outcome).toMatchObject({ status: 'failed', error: { code: 'STEP_LOST' } });

    const resolve = (text: string): Promise<unknown> =>
      operate((operator) => operator.resolve(`${turnId}.0.v0.c` as JobId, { how: 'value', text }, 'anna'));
    await resolve('it is away');
    const refused = (await endOf(turnId)).outcome;
    expect(refused).toMatchObject({ status: 'failed', error: { code: 'STEP_FAILED' } });
    expect(refused.error?.message).toContain('it needs {"exit_code": whole number');
    await resolve('{"exit_code": 0, "stdout": "away", "stderr": ""}');
    expect((await endOf(turnId)).outcome).toMatchObject({ status: 'completed', answer: 'away' });
    await writeFile(`${effects}.gate`, '');
    expect((await done()).match(/start/g)).toHaveLength(1);
  });
});
