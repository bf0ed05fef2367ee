import { randomUUID } from 'node:crypto';
import { type NodeProcess, type RedisServer, startRedis, toolServerCommand, until } from '@skillyard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkplace, skill, type Workplace } from './cli-process.ts';

const redis: RedisServer | undefined = await startRedis();
afterAll(() => redis?.stop());

// Each command is a process of its own: on a busy machine that adds up.
describe.skipIf(redis === undefined)('the commands of an operator', { timeout: 120_000 }, () => {
  const env = { REDIS_URL: redis?.url ?? '', USER: 'anna' };
  let place: Workplace;
  let orchestrator: NodeProcess;

  beforeAll(async () => {
    place = await openWorkplace();
    const config = {
      models: { m: { provider: 'scripted', script: 'answers.yaml' } },
      servers: { depot: { ...toolServerCommand(), class: 'kitchen' }, cellar: { command: './not-there' } },
      retries: { attempts: 3, delay: '1ms' },
      redis: { prefix: `cli-${randomUUID().slice(0, 8)}` },
    };
    await place.write({
      'skillyard.yaml': JSON.stringify(config),
      'answers.yaml': 'steps:\n  greet: [{echo: true}]\n',
      'skill.yaml': skill([{ name: 'fetch', call: { tool: 'depot:echo', args: { text: 'x' } } }], {
        tools: ['depot'],
      }),
      'away.yaml': skill([{ name: 'fetch', call: { tool: 'cellar:echo', args: {} } }], { tools: ['cellar'] }),
      // No such server: the orchestrator answers the call itself, with a failure.
      'wrong.yaml': skill([{ name: 'fetch', call: { tool: 'attic:echo', args: {}, save_as: 'answer' } }], {
        tools: ['attic'],
      }),
    });
    orchestrator = place.start(['orchestrator'], env);
  });
  afterAll(async () => {
    await orchestrator.stop();
    await place.remove();
  });

  const submit = async (file: string): Promise<string> =>
    (await place.run(['submit', file], env)).stdout.trim();

  it('why names the class whose worker is missing, and cancel ends the turn', async () => {
    const id = await submit('skill.yaml');
    const why = await until(async () => {
      const run = await place.run(['why', id], env);
      return run.stdout.includes('is connected') ? run : undefined;
    }, 20_000);
    expect(why.stdout).toContain('step "fetch" (call depot:echo): no worker of class kitchen is connected');
    expect(why.code).toBe(0);
    expect((await place.run(['cancel', id, '--reason', 'enough'], env)).stderr).toContain(
      'is being cancelled',
    );
    const watched = await place.run(['watch', id], env);
    expect(watched.stderr).toContain('cancelled: enough');
    expect(JSON.parse((await place.run(['why', id, '--json'], env)).stdout)).toMatchObject({
      status: 'cancelled',
      jobs: [],
    });
  });

  it('failed lists a job, resolve gives it its result, and the turn completes', async () => {
    const id = await submit('wrong.yaml');
    expect((await place.run(['watch', id], env)).stderr).toContain('SERVER_UNKNOWN');
    const jobId = `${id}.0.c`;
    const listed = await until(async () => {
      const run = await place.run(['failed', '--class', 'orchestrator'], env);
      return run.stdout === '' ? undefined : run;
    }, 20_000);
    expect(listed.stdout).toContain(`${jobId}  fetch (call attic:echo)  SERVER_UNKNOWN`);
    expect((await place.run(['failed', jobId], env)).stdout).toContain(`skillyard resolve ${jobId}`);
    const resolved = await place.run(['resolve', jobId, '--value', 'found it'], env);
    expect(resolved).toMatchObject({ code: 0, stdout: `${id}\n` });
    expect((await place.run(['watch', id], env)).stdout).toBe('found it\n');
    const again = await place.run(['redrive', jobId], env);
    expect(again.code).toBe(2);
    expect(again.stderr).toContain('error REOPEN_REFUSED');
  });

  it('failed says how many attempts were made', async () => {
    const worker = place.start(['worker', '--class', 'cellar'], env);
    const id = await submit('away.yaml');
    expect((await place.run(['watch', id], env)).stderr).toContain('SERVER_UNAVAILABLE');
    const listed = await until(async () => {
      const run = await place.run(['failed', '--class', 'cellar'], env);
      return run.stdout === '' ? undefined : run;
    }, 20_000);
    expect(listed.stdout).toContain('SERVER_UNAVAILABLE after 3 attempts: ');
    expect((await place.run(['failed', `${id}.0.c`], env)).stdout).toContain('\n  attempts: 3\n');
    await worker.stop();
  });

  it('queues holds a class, shows what waits for it, and lets it go on', async () => {
    const paused = await place.run(['queues', 'pause', 'kitchen'], env);
    expect(paused).toMatchObject({ code: 0, stderr: 'kitchen is paused; 0 jobs wait\n' });
    const worker = place.start(['worker', '--class', 'kitchen'], env);
    const id = await submit('skill.yaml');
    const held = await until(async () => {
      const { stdout } = await place.run(['queues', '--json'], env);
      const { queues } = JSON.parse(stdout) as {
        queues: { class: string; waiting: number; workers: number }[];
      };
      return queues.find((queue) => queue.class === 'kitchen' && queue.waiting === 1 && queue.workers === 1);
    }, 20_000);
    expect(held).toMatchObject({ paused: true, active: 0 });
    expect((await place.run(['queues'], env)).stdout).toMatch(/^kitchen +paused +1 +0 +0 +/m);
    expect((await place.run(['queues', 'resume', 'kitchen'], env)).stderr).toContain('kitchen is open');
    expect((await place.run(['watch', id], env)).code).toBe(0);
    await worker.stop();
  });

  it('says what is wrong with an id or an option', async () => {
    for (const [args, said] of [
      [['why', 'a b'], 'is no turn id'],
      [['failed', 'nojob'], 'is no job id'],
      [['failed', 'turn.0.c'], 'error JOB_NOT_FOUND'],
      [['redrive'], 'either a job id or --class'],
      [['resolve', 'turn.0.c'], 'either --value <text> or --rerun'],
      [['cancel', 'nobody'], 'error TURN_NOT_FOUND'],
      [['queues', 'pause', 'kitchn'], 'error QUEUE_UNKNOWN'],
    ] as const) {
      const run = await place.run(args, env);
      expect(run.stderr).toContain(said);
      expect(run.code).toBe(2);
    }
  });
});
