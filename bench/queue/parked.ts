import type { TurnId } from '@skillyard/contracts';
import { type JobEnvelope, Keys } from '@skillyard/queue';
import type { Redis } from 'ioredis';
import { type Report, whole } from '../table.ts';
import { startProcess } from './bench-process.ts';
import { startBenchRedis } from './bench-redis.ts';
import type { TurnsToRun } from './turns-process.ts';

const TURNS = 2000;
/** Turns before those: they fill what has a size of its own, the queues' streams of events above all. */
const TURNS_BEFORE = 3000;
/** Long enough for anybody to be done with what is left to do. */
const SETTLED_MS = 1000;

/** A small skill that looks something up, writes a sentence about it and then asks a person. */
const SKILL = `skill_engine_version: "2.5.0"
name: interlibrary-loan
description: Order a book from another library, once the reader has agreed to the price.
workflow:
  tools: [catalogue]
  steps:
    - name: find
      call:
        tool: "catalogue:search"
        args: {title: "{{input}}", limit: 3}
        save_as: found
    - name: offer
      instruction: |
        The reader asks for: {{input}}
        The catalogue says: {{found}}
        Offer the reader the best copy in one sentence, with its price.
      save_as: offer
    - name: confirm
      ask:
        question: "{{offer}} Shall we order it?"
        options:
          - {value: "yes", label: Order it}
          - {value: "no", label: Leave it}
        save_as: decision
    - name: order
      when: decision == yes
      call:
        tool: "catalogue:order"
        args: {offer: "{{offer}}"}
        save_as: receipt
    - {name: tell, instruction: "Tell the reader what was done. Decision: {{decision}}. Receipt: {{receipt}}"}
`;

/** What a turn that waits for a person takes in Redis. */
export async function benchParked(): Promise<Report> {
  const redis = await startBenchRedis('everysec');
  const files = ['orchestrator-process.ts', 'worker-process.ts', 'turns-process.ts'] as const;
  const processes = await Promise.all(files.map((file) => startProcess(file, [redis.url])));
  const submit = async (turns: number): Promise<void> => {
    const vars = { input: 'a history of lighthouses on the North Sea, if possible illustrated' };
    const work: TurnsToRun = { skillText: SKILL, turns, jobsPerTurn: 2, vars };
    await processes[2]?.ask('submit', work);
  };
  try {
    // The first turns pay for what all share: the text of the skill, the scripts, the queues and their events.
    await submit(TURNS_BEFORE);
    await allParked(redis.redis, TURNS_BEFORE);
    const before = await redis.memory();
    await submit(TURNS);
    await allParked(redis.redis, TURNS_BEFORE + TURNS);
    const after = await redis.memory();
    const bytes = (after.usedBytes - before.usedBytes) / TURNS;
    return {
      title: 'Turns that wait for a person, after a call and a generation',
      columns: ['turns', 'bytes per turn', 'KiB per turn'],
      rows: [[whole(TURNS), whole(bytes), (bytes / 1024).toFixed(2)], ...(await byKey(redis.redis))],
      summary: { bytesPerTurn: Math.round(bytes) },
    };
  } finally {
    await Promise.all(processes.map((one) => one.stop()));
    await redis.stop();
  }
}

/** What each key of one of the turns takes. */
async function byKey(redis: Redis): Promise<string[][]> {
  const keys = new Keys();
  const [anyTurn] = await liveTurns(redis, keys);
  if (anyTurn === undefined) throw new Error('no turn is live');
  const rows: string[][] = [];
  for (const [name, key] of Object.entries(keys.turn(anyTurn)) as [string, string][]) {
    const bytes = (await redis.memory('USAGE', key)) ?? 0;
    if (bytes > 0) rows.push([`of it ${name}`, whole(bytes), (bytes / 1024).toFixed(2)]);
  }
  return rows;
}

/** Waits until every turn waits for a person and nothing else is left to do. */
async function allParked(redis: Redis, turns: number): Promise<void> {
  const keys = new Keys();
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
    const live = await liveTurns(redis, keys);
    const outboxes = await Promise.all(live.map((id) => redis.hvals(keys.turn(id).jobs)));
    if (outboxes.length === turns && outboxes.every(waitsForPerson)) return;
  }
}

function waitsForPerson(outbox: readonly string[]): boolean {
  const jobs = outbox.map((json) => (JSON.parse(json) as JobEnvelope).job);
  return jobs.length === 1 && jobs[0]?.kind === 'ask';
}

async function liveTurns(redis: Redis, keys: Keys): Promise<TurnId[]> {
  const shards = Array.from({ length: keys.shards }, (_, shard) => keys.shard(shard).live);
  const turns = await Promise.all(shards.map((live) => redis.zrange(live, '0', '-1')));
  return turns.flat() as TurnId[];
}
