import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, type JobId, NO_ORIGIN, type StepJob } from '@skillyard/contracts';
import { Operator } from '@skillyard/queue';
import {
  type OtlpReceiver,
  type ReceivedSpan,
  type RedisServer,
  startOtlpReceiver,
  startRedis,
  until,
} from '@skillyard/testing';
import { startTelemetry, type Telemetry } from '@skillyard/telemetry';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { turnResource } from '../src/http/turn-resource.ts';
import { type Answer, type Cluster, skillOf, startCluster } from './cluster.ts';

const redis: RedisServer | undefined = await startRedis();
afterAll(() => redis?.stop());

const CONFIG: Config = {
  default_model: 'plain',
  models: { plain: { provider: 'openai', model: 'baker-1' } },
  servers: {
    mill: { url: 'http://mill' },
    oven: { url: 'http://oven', effect: 'read' },
  },
};
const SECRET = 'the recipe of the house';
const silent = { info: () => {}, warn: vi.fn(), debug: () => {} };

const FLOW = `
- name: both
  parallel:
    branches:
      - - {name: left, instruction: "Left of {{note}}.", save_as: left}
      - - name: right
          call: {tool: "oven:bake", args: {what: "{{note}}"}, save_as: right}
- name: rounds
  for_each:
    in: loaves
    as: loaf
    collect: baked
    steps:
      - name: choose
        if: {cond: "loaf is not empty", then: [{name: bake, call: {tool: "oven:bake", args: {item: "{{loaf}}"}, save_as: baked}}]}
- name: loop
  instruction: "Use tools for {{note}}."
  save_as: looped
- name: hand over
  delegate: {skill: helper, task: "{{note}}", save_as: help}
- name: flaky
  call: {tool: "oven:warm", args: {}, save_as: warm}
- set: {var: answer, value: "{{help}}"}
`;

/** A world in which `oven:warm` works the second time, and `loop` calls a tool before it answers. */
function world(): Answer {
  let warmed = 0;
  return (job: StepJob) => {
    if (job.kind === 'call' && job.tool === 'warm' && warmed++ === 0)
      return { status: 'error', error: { code: 'SERVER_UNAVAILABLE', message: `away, says ${SECRET}` } };
    if (job.kind === 'generate' && job.step === 'loop' && job.round === 0)
      return {
        text: '',
        usage: { inputTokens: 11, outputTokens: 3 },
        toolRequests: [{ callId: 'k1', server: 'oven', tool: 'look', args: { at: SECRET } }],
      };
    return { text: `${SECRET}, said ${job.kind}`, usage: { inputTokens: 7, outputTokens: 2 } };
  };
}

describe.skipIf(redis === undefined)('the trace of a turn', () => {
  let folder: string;
  let receiver: OtlpReceiver;
  let cluster: Cluster | undefined;
  let telemetry: Telemetry | undefined;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'skillyard-telemetry-'));
    const steps = '- {name: advise, instruction: "Help with {{input}}."}';
    await writeFile(join(folder, 'helper.yaml'), skillOf(steps).replace('test-skill', 'helper'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  beforeEach(async () => {
    receiver = await startOtlpReceiver();
    silent.warn.mockClear();
  });
  afterEach(async () => {
    await arrived();
    await receiver.close();
    vi.unstubAllEnvs();
  });

  const start = async (answer: Answer, config: Config = {}): Promise<Cluster> => {
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '50',
      OTEL_METRIC_EXPORT_INTERVAL: '100',
    };
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    const whole = { ...CONFIG, ...config, skills: [folder] };
    telemetry = await startTelemetry({ service: 'orchestrator', config: whole, env, log: silent });
    const started = await startCluster(redis!.url, answer, whole);
    cluster = started;
    await started.orchestrator({ telemetry });
    const onAttempt = telemetry?.attemptEnded.bind(telemetry);
    for (const workerClass of ['model', 'mill', 'oven'])
      await started.worker(workerClass, { ...(onAttempt && { onAttempt }) });
    return started;
  };
  /** Ends telemetry, so that all of it has arrived. */
  const arrived = async (): Promise<readonly ReceivedSpan[]> => {
    await cluster?.close();
    await telemetry?.close();
    cluster = undefined;
    telemetry = undefined;
    return receiver.spans;
  };
  const named = (spans: readonly ReceivedSpan[], name: string): ReceivedSpan[] =>
    spans.filter((span) => span.name === name);
  const one = (spans: readonly ReceivedSpan[], name: string): ReceivedSpan => {
    const found = named(spans, name);
    expect(found, `spans called "${name}" among ${spans.map((span) => span.name).join(', ')}`).toHaveLength(
      1,
    );
    return found[0]!;
  };

  it('is one, over all its processes and delegations, and every span has its place', async () => {
    const { submit, outcome, client } = await start(world());
    const turnId = await submit(skillOf(FLOW), { vars: { note: SECRET, loaves: 'rye\nspelt' } });
    expect(await outcome(turnId)).toMatchObject({ status: 'completed' });
    const shown = turnResource(await client.readTurn(turnId), telemetry);
    const spans = await arrived();

    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([shown.traceId]));
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
    const byId = new Map(spans.map((span) => [span.spanId, span]));
    expect(spans.filter((span) => span.parentSpanId !== '' && !byId.has(span.parentSpanId))).toEqual([]);
    const roots = spans.filter(({ parentSpanId }) => parentSpanId === '');
    expect(roots.map(({ name }) => name)).toEqual(['skill test-skill']);
    const parentOf = (span: ReceivedSpan): string => byId.get(span.parentSpanId)?.name ?? '';

    for (const top of ['both', 'rounds', 'loop', 'hand over', 'flaky'])
      expect(parentOf(one(spans, `step ${top}`))).toBe('skill test-skill');
    expect(parentOf(one(spans, 'step left'))).toBe('step both');
    expect(one(spans, 'step right')).toMatchObject({ attributes: { 'skillyard.step.branch': 1 } });
    for (const choose of named(spans, 'step choose')) expect(parentOf(choose)).toBe('step rounds');
    const bakes = named(spans, 'step bake');
    expect(bakes.map(parentOf)).toEqual(['step choose', 'step choose']);
    const rounds = named(spans, 'step choose').map((span) => span.attributes['skillyard.step.iteration']);
    expect(new Set(rounds)).toEqual(new Set([0, 1]));

    const child = one(spans, 'skill helper');
    expect(parentOf(child)).toBe('step hand over');
    expect(child.links).toEqual([
      { spanId: child.parentSpanId, attributes: { 'skillyard.link': 'delegated' } },
    ]);
    expect(parentOf(one(spans, 'step advise'))).toBe('skill helper');

    const chats = named(spans, 'chat baker-1');
    expect(chats.map(parentOf).toSorted()).toEqual(['step advise', 'step left', 'step loop', 'step loop']);
    expect(chats.every(({ kind }) => kind === 3)).toBe(true);
    expect(parentOf(one(spans, 'execute_tool look'))).toBe('step loop');
    const waits = spans.filter(({ name }) => name.startsWith('queue wait '));
    const jobs = spans.filter(({ kind }) => kind === 3);
    expect(waits).toHaveLength(jobs.length);
    for (const wait of waits) expect(parentOf(wait)).toMatch(/^step /);
  });

  it('says of each attempt which one it was, and what was tried before it', async () => {
    const { submit, outcome } = await start(world());
    const turnId = await submit(skillOf(FLOW), { vars: { note: 'x', loaves: 'rye' } });
    await outcome(turnId);
    const spans = await arrived();
    const attempts = named(spans, 'execute_tool warm').toSorted((a, b) => a.startMs - b.startMs);
    expect(attempts.map((span) => span.attributes['skillyard.job.attempt'])).toEqual([1, 2]);
    const [first, second] = attempts;
    expect(first).toMatchObject({
      links: [],
      status: { code: 2, message: 'SERVER_UNAVAILABLE' },
      attributes: { 'skillyard.job.end': 'retried', 'error.type': 'SERVER_UNAVAILABLE' },
    });
    expect(second).toMatchObject({
      links: [{ spanId: first?.spanId, attributes: { 'skillyard.link': 'retry' } }],
      attributes: { 'skillyard.job.end': 'done', 'skillyard.job.status': 'ok' },
    });
    expect(second?.status.code ?? 0).toBe(0);
    // The delay before the second attempt is none of its wait.
    const waits = named(spans, 'queue wait oven').filter((span) => span.parentSpanId === first?.parentSpanId);
    expect(waits).toHaveLength(2);
    expect(Math.max(...waits.map(({ startMs }) => startMs))).toBeGreaterThanOrEqual(first?.endMs ?? 0);
  });

  it('follows the conventions for generative AI, and measures by them', async () => {
    const { submit, outcome } = await start(world());
    const turnId = await submit(skillOf(FLOW), { vars: { note: 'x', loaves: 'rye' } });
    await outcome(turnId);
    await until(
      () => receiver.metrics.has('skillyard.turns.active'),
      5000,
      'what is read when it is measured',
    );
    const spans = await arrived();
    const asking = named(spans, 'chat baker-1').find(
      (span) => span.attributes['gen_ai.usage.input_tokens'] === 11,
    );
    expect(asking?.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'baker-1',
      'gen_ai.usage.output_tokens': 3,
      'skillyard.turn.id': turnId,
    });
    expect(one(spans, 'execute_tool look').attributes).toMatchObject({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'look',
      'skillyard.server': 'oven',
    });
    expect(one(spans, 'skill test-skill').attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'test-skill',
      'skillyard.turn.status': 'completed',
      'skillyard.tenant': 'default',
    });
    const promised = [
      'skillyard.turns',
      'skillyard.turn.duration',
      'skillyard.turns.active',
      'skillyard.steps',
    ];
    const ofJobs = ['skillyard.step.duration', 'skillyard.queue.wait', 'skillyard.queue.backlog'];
    const genAi = ['gen_ai.client.operation.duration', 'gen_ai.client.token.usage', 'skillyard.jobs.retried'];
    for (const name of [...promised, ...ofJobs, ...genAi]) expect([...receiver.metrics]).toContain(name);
  });

  it('has no metric of its own for each name of a model that skills make up', async () => {
    const { submit, outcome } = await start(world());
    await outcome(await submit(skillOf('- {name: ask, instruction: "Ask.", model: made-up}')));
    await arrived();
    expect(receiver.metrics).toContain('gen_ai.client.operation.duration');
    const metrics = receiver.text().split('"resourceMetrics"').slice(1);
    expect(metrics.join('')).toContain('"_OTHER"');
    expect(metrics.map((text) => text.split('"resourceSpans"')[0]).join('')).not.toContain('made-up');
  });

  it('says nothing of what a turn is about, unless it is asked to', async () => {
    const { submit, outcome } = await start(world());
    const vars = { note: SECRET, loaves: `${SECRET} 1\n${SECRET} 2` };
    await outcome(await submit(skillOf(FLOW), { vars }));
    await arrived();
    expect(receiver.spans.length).toBeGreaterThan(20);
    expect(receiver.text()).not.toContain(SECRET);
  });

  it('says what was asked and answered where an operator wants that, cut to a bound', async () => {
    const long = 'dough '.repeat(5000);
    const { submit, outcome } = await start((job) => ({ text: `${long} of ${job.step}` }), {
      telemetry: { content: 'on' },
    });
    await outcome(
      await submit(skillOf('- {name: ask, instruction: "Mind {{note}}."}'), { vars: { note: SECRET } }),
    );
    const { attributes } = one(await arrived(), 'chat baker-1');
    expect(attributes['gen_ai.input.messages']).toContain(SECRET);
    const answered = String(attributes['gen_ai.output.messages']);
    expect(answered).toContain('dough');
    expect(answered.length).toBeLessThan(9000);
  });

  it('joins the trace of whoever submitted the turn, and leaves no trace where that one is not recorded', async () => {
    const { submit, outcome } = await start(() => ({ text: 'fine' }));
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const spanId = '00f067aa0ba902b7';
    const skill = skillOf('- {name: ask, instruction: Well?}');
    const asked = (traceparent: string) => submit(skill, { origin: { ...NO_ORIGIN, traceparent } });
    await outcome(await asked(`00-${traceId}-${spanId}-01`));
    await outcome(await asked(`00-${'a'.repeat(32)}-${spanId}-00`));
    const spans = await arrived();
    expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set([traceId]));
    expect(one(spans, 'skill test-skill').parentSpanId).toBe(spanId);
    expect(spans.some((span) => span.name === 'chat baker-1')).toBe(true);
  });

  it('marks what an iteration did that ran early and turned out void, and leaves no span without its parent', async () => {
    let running = 0;
    const { submit, outcome } = await start(async (job, { signal }) => {
      if (job.kind !== 'call') return {};
      if (job.args['item'] === 'rye') {
        await until(() => running === 2, 5000, 'the iterations that run early');
        return { status: 'error', error: { code: 'TOOL_FAILED', message: 'burnt' } };
      }
      running++;
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({ text: 'never mind' }));
      });
    });
    const loop = `
- name: rounds
  for_each:
    in: loaves
    as: loaf
    on_error: abort
    steps:
      - {name: bake, call: {tool: "oven:bake", args: {item: "{{loaf}}"}, save_as: baked}}
`;
    const turnId = await submit(skillOf(loop), { vars: { loaves: 'rye\nspelt\noats' } });
    expect(await outcome(turnId)).toMatchObject({ status: 'failed' });
    await until(
      () => receiver.spans.filter(({ kind }) => kind === 3).length === 3,
      5000,
      'the aborted calls',
    );
    const spans = await arrived();
    expect(named(spans, 'step discarded').map((span) => span.attributes['skillyard.step.path'])).toEqual([
      '0.i1',
      '0.i2',
    ]);
    const bakes = named(spans, 'step bake');
    expect(bakes.filter((span) => span.attributes['skillyard.discarded'] === true)).toHaveLength(2);
    const ends = named(spans, 'execute_tool bake').map((span) => span.attributes['skillyard.job.end']);
    expect(ends.filter((end) => end === 'aborted')).toHaveLength(2);
    const ids = new Set(spans.map(({ spanId }) => spanId));
    const orphans = spans.filter((span) => span.parentSpanId !== '' && !ids.has(span.parentSpanId));
    expect(orphans).toEqual([]);
  });

  it('shows a turn that was reopened as another span below the first one, with a link to it', async () => {
    let broken = true;
    const { connection, client, submit, outcome } = await start(() =>
      broken ? { status: 'error', error: { code: 'TOOL_FAILED', message: 'no' } } : { text: 'fine' },
    );
    const turnId = await submit(
      skillOf('- {name: grind, call: {tool: "mill:grind", args: {}, save_as: answer}}'),
    );
    expect(await outcome(turnId)).toMatchObject({ status: 'failed' });
    broken = false;
    await new Operator(connection).resolve(`${turnId}.0.c` as JobId, { how: 'rerun' }, 'a test');
    await until(async () => (await client.readTurn(turnId)).status === 'completed', 5000, 'its second end');
    const spans = await arrived();
    const [first, second] = named(spans, 'skill test-skill').toSorted((a, b) => a.endMs - b.endMs);
    expect(first?.attributes['error.type']).toBe('TOOL_FAILED');
    expect(second).toMatchObject({
      traceId: first?.traceId,
      parentSpanId: first?.spanId,
      links: [{ spanId: first?.spanId, attributes: { 'skillyard.link': 'reopened' } }],
      attributes: { 'skillyard.reopened': 1, 'skillyard.turn.status': 'completed' },
    });
    expect(new Set(spans.map((span) => span.spanId)).size).toBe(spans.length);
  });
});
