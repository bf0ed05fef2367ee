import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config, StepResult, TraceEvent, TurnRadius } from '@skillyard/contracts';
import { type RedisServer, startRedis, until } from '@skillyard/testing';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, type Cluster, startCluster } from './cluster.ts';

const redis: RedisServer | undefined = await startRedis();
afterAll(async () => redis?.stop());

const HEADER = 'skill_engine_version: "2.5.0"\ndescription: For a test.\n';
const sharedSkill = (tool: string): string =>
  `${HEADER}name: shared\ntool_refs: ["mill:${tool}"]\nplaybook: p\n`;
const MILLER = `${HEADER}name: miller
includes: [{skill: shared}]
workflow:
  steps:
    - call: {tool: "mill:grind"}
    - call: {tool: "mill:grind", save_as: answer}
`;

function radiusOf(events: readonly TraceEvent[]): TurnRadius | undefined {
  return events.flatMap((event) => (event.type === 'turn.started' ? [event.radius] : []))[0];
}

describe.skipIf(redis === undefined)('turns of a skill with sources on Redis', () => {
  let folder: string;
  let cluster: Cluster;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'skillyard-sources-'));
  });
  afterEach(async () => {
    await cluster.close();
    await rm(folder, { recursive: true, force: true });
  });

  const start = async (answer: Answer): Promise<Cluster> => {
    const config: Config = { servers: { mill: { url: 'http://mill' } }, skills: [folder] };
    cluster = await startCluster(redis!.url, answer, config);
    await cluster.orchestrator();
    await cluster.worker('mill');
    return cluster;
  };

  it('keep what the sources came to when they started; later turns start with what is there then', async () => {
    await writeFile(join(folder, 'shared.yaml'), sharedSkill('grind'));
    const calls: ((result: Partial<StepResult>) => void)[] = [];
    const { submit, outcome, events } = await start(
      () => new Promise<Partial<StepResult>>((resolve) => calls.push(resolve)),
    );
    const first = await submit(MILLER);
    const call = await until(() => calls[0], 5000, 'the first call');
    await writeFile(join(folder, 'shared.yaml'), sharedSkill('sieve'));

    // The change counts as soon as a new turn says so.
    const later = await until(
      async () => {
        const end = await outcome(await submit(MILLER.replaceAll('mill:grind', 'mill:other')));
        return end.error?.message.includes('mill:sieve') === true ? end : undefined;
      },
      10_000,
      'a turn that starts with the changed skill',
    );
    expect(later.error?.code).toBe('RADIUS_REFUSED');

    call({ text: 'coarse' });
    (await until(() => calls[1], 5000, 'the second call'))({ text: 'fine' });
    expect(await outcome(first)).toMatchObject({ status: 'completed', answer: 'fine' });
    expect(radiusOf(await events(first))).toEqual({
      tools: ['mill:grind'],
      entries: [{ name: 'mill:grind', skill: 'shared', inline: false }],
      included: [{ name: 'shared', hash: expect.any(String) }],
      missing: [],
    });
  });

  it('go without what is not there, and say so', async () => {
    const { submit, outcome, events } = await start(() => ({}));
    const turnId = await submit(MILLER);
    expect((await outcome(turnId)).error).toMatchObject({ code: 'RADIUS_REFUSED' });
    expect(radiusOf(await events(turnId))).toMatchObject({
      tools: [],
      missing: [{ skill: 'miller', include: 'shared' }],
    });
  });

  it('end as failed when they include each other', async () => {
    await writeFile(
      join(folder, 'shared.yaml'),
      `${HEADER}name: shared\nincludes: [{skill: shared}]\nplaybook: p\n`,
    );
    const { submit, outcome } = await start(() => ({}));
    expect(await outcome(await submit(MILLER))).toMatchObject({
      status: 'failed',
      error: {
        code: 'INCLUDE_CYCLE',
        message: 'Cycle detected in skill includes: miller -> shared -> shared',
      },
    });
  });
});
