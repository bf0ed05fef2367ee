import { PassThrough } from 'node:stream';
import type { CodeHostReply, CodeHostRequest, CodeRound, Json } from '@skillyard/contracts';
import { type } from 'arktype';
import { describe, expect, it } from 'vitest';
import type { SkillDefinition, StepConfig } from '../definition/skill-definition.ts';
import { serveHost } from './serve-host.ts';

const steps: Readonly<Record<string, StepConfig>> = {
  bake: {
    prompt: 'Bake.',
    response: type({ grams: 'number' }),
    action: ({ signal, response }) => {
      if ((response as { grams: number }).grams === 0) throw new Error('no flour');
      return new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(new Error('the oven is off'))),
      );
    },
    next: { terminal: true },
  },
};
const SKILL: SkillDefinition = {
  kind: 'skill',
  name: 'bakery',
  version: '1.0.0',
  description: undefined,
  entry: 'bake',
  system: undefined,
  params: undefined,
  steps,
  observers: undefined,
  finalOutput: undefined,
  skillMd: undefined,
  resolveVersion: false,
  package: undefined,
};

type Ask = CodeHostRequest extends infer R ? (R extends { id: number } ? Omit<R, 'id'> : never) : never;

/** A host, and what it answers. */
function openHost(): {
  ask(request: Ask): Promise<CodeHostReply>;
  send(request: Ask): number;
  end(): Promise<void>;
} {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const served = serveHost(SKILL, {}, { input, output });
  const waiting = new Map<number, (reply: CodeHostReply) => void>();
  let id = 0;
  output.on('data', (chunk: Buffer) => {
    for (const line of chunk.toString().trim().split('\n')) {
      const reply = JSON.parse(line) as CodeHostReply;
      waiting.get(reply.id)?.(reply);
    }
  });
  const send = (request: Ask): number => {
    id += 1;
    input.write(`${JSON.stringify({ id, ...request })}\n`);
    return id;
  };
  return {
    send,
    ask: (request) => new Promise((resolve) => waiting.set(send(request), resolve)),
    end: async () => {
      input.end();
      await served;
    },
  };
}

const turnId = 't1';

describe('the host of a skill', () => {
  const begun = async (host: ReturnType<typeof openHost>, grams: number): Promise<CodeRound[]> => {
    const rounds: CodeRound[] = [];
    for (const event of [
      { type: 'start', vars: {} },
      { type: 'reply', text: JSON.stringify({ grams }), error: null },
    ] as const) {
      const reply = await host.ask({ op: 'decide', turnId, rounds: [...rounds], event });
      rounds.push({ event, memo: (reply as { memo: Json }).memo });
    }
    return rounds;
  };

  it('answers what it is asked, each with its number', async () => {
    const host = openHost();
    const event = { type: 'start', vars: {} } as const;
    const replies = await Promise.all(
      [1, 2].map(() => host.ask({ op: 'decide', turnId, rounds: [], event })),
    );
    expect(replies).toMatchObject([
      { id: 1, decision: { directive: { do: 'generate', step: 'bake' } } },
      { id: 2, decision: { directive: { do: 'generate', step: 'bake' } } },
    ]);
    await host.end();
  });

  it('answers a failure of the code with its code and its words, and goes on', async () => {
    const host = openHost();
    const rounds = await begun(host, 0);
    const reply = await host.ask({ op: 'act', turnId, rounds, step: 'bake', input: null });
    expect(reply).toMatchObject({
      error: { code: 'ACTION_FAILED', message: expect.stringContaining('no flour') as string },
    });
    expect(await host.ask({ op: 'act', turnId, rounds: [], step: 'bake', input: null })).toMatchObject({
      error: { code: 'PROTOCOL' },
    });
    await host.end();
  });

  it('stops an action that is cancelled, and all of them when its input ends', async () => {
    const host = openHost();
    const rounds = await begun(host, 5);
    const one = host.ask({ op: 'act', turnId, rounds, step: 'bake', input: null });
    host.send({ op: 'cancel', request: 3 });
    expect(await one).toMatchObject({ id: 3, error: { code: 'ACTION_FAILED' } });
    const another = host.ask({ op: 'act', turnId, rounds, step: 'bake', input: null });
    await host.end();
    expect(await another).toMatchObject({ error: { code: 'ACTION_FAILED' } });
  });
});
