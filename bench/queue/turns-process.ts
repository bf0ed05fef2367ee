/** Somebody who submits turns and waits for their end. Argument: address of Redis. */
import { connect, TurnClient } from '@skillyard/queue';
import type { TurnSettings } from '@skillyard/engine';
import { FLOWS } from './bench-classes.ts';
import { serve } from './bench-process.ts';

/** Turns to be run. */
export interface TurnsToRun {
  readonly skillText: string;
  readonly turns: number;
  /** Jobs that each of them asks of workers: fewer would mean that the turns failed. */
  readonly jobsPerTurn: number;
  /** Each of them is submitted when the one before has ended. */
  readonly oneByOne?: boolean;
  readonly vars?: Readonly<Record<string, string>>;
  readonly settings?: Partial<TurnSettings>;
}

const POLL_MS = 5;

const [url = ''] = process.argv.slice(2);
const connection = await connect({ url });
const client = new TurnClient(connection);

/** Submits turns and waits until none of them is live. @returns milliseconds from the first submission to the last end */
async function run(work: TurnsToRun): Promise<number> {
  const start = performance.now();
  const { turns, oneByOne = false } = work;
  const atOnce = oneByOne ? 1 : turns;
  for (let done = 0; done < turns; done += atOnce) {
    await submit({ ...work, turns: atOnce });
    while ((await liveTurns()) > 0) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return performance.now() - start;
}

async function submit({ turns, skillText, vars = { input: 'x' }, settings }: TurnsToRun): Promise<void> {
  let left = turns;
  const submitSome = async (): Promise<void> => {
    while (left-- > 0)
      await client.submitTurn({ skillText, file: 'bench.yaml', vars, ...(settings && { settings }) });
  };
  await Promise.all(Array.from({ length: FLOWS }, submitSome));
}

async function liveTurns(): Promise<number> {
  const { redis, keys } = connection;
  const pipeline = redis.pipeline();
  for (let shard = 0; shard < keys.shards; shard++) pipeline.zcard(keys.shard(shard).live);
  const counts = (await pipeline.exec()) ?? [];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

serve({ run, submit });
