import { randomUUID } from 'node:crypto';
import {
  type NodeProcess,
  type OtlpReceiver,
  type RedisServer,
  startOtlpReceiver,
  startRedis,
  toolServerCommand,
  until,
} from '@skillyard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkplace, skill, type Workplace } from './cli-process.ts';

const redis: RedisServer | undefined = await startRedis();
afterAll(() => redis?.stop());

/** The lines of a scrape: `name{labels} value`, with their comments left out. */
function parseScrape(text: string): Map<string, number> {
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    samples.map((line) => {
      const [, name = '', value = ''] = /^([a-zA-Z_][\w:]*(?:\{.*\})?) (\S+)(?: \d+)?$/.exec(line) ?? [];
      if (name === '') throw new Error(`no sample: ${line}`);
      return [name, Number(value)] as const;
    }),
  );
}

describe.skipIf(redis === undefined)('telemetry of real processes', () => {
  const prefix = `cli-${randomUUID().slice(0, 8)}`;
  const env = { REDIS_URL: redis?.url ?? '' };
  let place: Workplace;
  let receiver: OtlpReceiver;

  beforeAll(async () => {
    receiver = await startOtlpReceiver();
    place = await openWorkplace();
    const config = (telemetry: object): string =>
      JSON.stringify({
        models: { m: { provider: 'scripted', script: 'answers.yaml' } },
        servers: { depot: { ...toolServerCommand(), class: 'kitchen' } },
        redis: { prefix },
        telemetry,
      });
    const steps = [
      { name: 'fetch', call: { tool: 'depot:echo', args: { text: '{{input}}' }, save_as: 'got' } },
      { name: 'greet', instruction: 'Welcome {{got}}.' },
    ];
    await place.write({
      'skillyard.yaml': config({}),
      'measured.yaml': config({ metrics_port: 0 }),
      'taken.yaml': config({ metrics_port: Number(new URL(receiver.url).port) }),
      'answers.yaml': 'steps:\n  greet: [{echo: true}]\n',
      'skill.yaml': skill(steps, { tools: ['depot'], name: 'welcome' }),
    });
  });
  afterAll(async () => {
    await receiver.close();
    await place.remove();
  });

  const serve = async (config: string, endpoint: string): Promise<NodeProcess> => {
    const served = place.start(['serve', '--port', '0', '--config', config], {
      ...env,
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '100',
      OTEL_METRIC_EXPORT_INTERVAL: '500',
      LOG_LEVEL: 'info',
    });
    await served.wrote('ready: ');
    return served;
  };

  it('is one trace over an orchestrator and two workers, and each of them can be scraped', async () => {
    const served = await serve('measured.yaml', receiver.url);
    const run = await place.run(['submit', 'skill.yaml', '--input', 'Ada', '--watch'], env);
    expect(run.stdout).toBe('Welcome Ada.\n');
    const names = ['skill welcome', 'step fetch', 'step greet', 'execute_tool echo', 'chat m'];
    await until(
      () => names.every((name) => receiver.spans.some((span) => span.name === name)),
      10_000,
      'the spans of the turn',
    );
    const { spans } = receiver;
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(new Set(spans.map(({ service }) => service))).toEqual(
      new Set(['skillyard-orchestrator', 'skillyard-worker']),
    );
    const output = served.stdout() + served.stderr();
    expect(output).toMatch(new RegExp(`turn ended .*trace_id=${spans[0]?.traceId}`));

    const ports = new Map(
      [...output.matchAll(/^(\S+).*metrics are served at \/metrics.*port=(\d+)/gm)].map(
        ([, name = '', port = '']) => [name.replace('|', ''), port],
      ),
    );
    const get = async (name: string, path: string): Promise<string> => {
      const response = await fetch(`http://127.0.0.1:${ports.get(name)}${path}`);
      expect(response.status).toBe(200);
      return response.text();
    };
    expect(await get('worker.model', '/healthz')).toBe('ok\n');
    const orchestrator = parseScrape(await get('orchestrator', '/metrics'));
    const has = (samples: Map<string, number>, pattern: RegExp): number | undefined =>
      [...samples].find(([name]) => pattern.test(name))?.[1];
    expect(has(orchestrator, /^skillyard_turns_total\{.*status="completed"/)).toBe(1);
    expect(has(orchestrator, /^skillyard_turns_active/)).toBe(0);
    expect(has(orchestrator, /^skillyard_turn_duration_seconds_bucket\{.*le="86400"/)).toBe(1);
    expect(has(orchestrator, /^skillyard_steps_total\{.*kind="call".*outcome="ok"/)).toBe(1);
    expect(has(orchestrator, /^skillyard_queue_backlog\{.*class="kitchen"/)).toBe(0);
    expect(has(orchestrator, /^skillyard_queue_workers\{.*class="kitchen"/)).toBe(1);
    const model = parseScrape(await get('worker.model', '/metrics'));
    expect(has(model, /^skillyard_queue_wait_seconds_count\{.*class="model"/)).toBe(1);
    expect(has(model, /^gen_ai_client_operation_duration_seconds_count/)).toBe(1);
    expect((await served.stop()).code).toBe(0);
  });

  it('does not stand in the way of turns when the collector is away, and complains once', async () => {
    const served = await serve('skillyard.yaml', 'http://127.0.0.1:1');
    for (const input of ['Ada', 'Grace', 'Edsger']) {
      const run = await place.run(['submit', 'skill.yaml', '--input', input, '--watch'], env);
      expect(run.stdout).toBe(`Welcome ${input}.\n`);
    }
    const complaints = (): number =>
      (served.stdout() + served.stderr()).split('telemetry cannot be exported').length - 1;
    await until(() => complaints() === 3, 10_000, 'the complaint of each of the three processes');
    expect((await served.stop()).code).toBe(0);
    expect(complaints()).toBe(3);
  });

  it('a port that is in use is refused with a message that says so', async () => {
    const run = await place.run(['worker', '--class', 'model', '--config', 'taken.yaml'], env);
    expect(run.code).not.toBe(0);
    expect(run.stderr).toMatch(/telemetry\.metrics_port: .*the port is in use/);
  });
});
