import process from 'node:process';
import { until } from '@skillyard/testing';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { AnswerSchema, Context, Program } from './context.ts';
import { readJournal } from './recorded-journal.ts';
import { replayProgram } from './replay-program.ts';

const DIGEST = `sha256:${'0'.repeat(64)}`;
const HEAD = { run_id: 'run_1', skill: { name: 'crew', digest: DIGEST } };

/** What a program comes to when its operations are answered like this, one after the other. */
async function cameTo(
  program: (context: Context) => unknown,
  ...answers: readonly unknown[]
): Promise<object> {
  const entries: { request: never; response: { result: unknown } }[] = [];
  for (const result of answers) {
    const { envelope } = (await outputOf(program, entries)) as { envelope: { request: never } };
    entries.push({ request: envelope.request, response: { result } });
  }
  return outputOf(program, entries);
}

async function outputOf(program: (context: Context) => unknown, entries: readonly unknown[]) {
  const journal = readJournal(JSON.stringify({ ...HEAD, entries }));
  return JSON.parse(await replayProgram(program as Program<unknown>, journal)) as object;
}

function completed(result: unknown, requirements: readonly unknown[] = []): object {
  return { type: 'terminal', terminal: { status: 'completed', result }, requirements };
}

function pending(sequence: number, id: string): object {
  return { type: 'request', envelope: { sequence, request: { id } } };
}

describe('a program', () => {
  it('asks for one thing after another, and then completes with what it returns', async () => {
    const program = ({ askUser, agentTask, runCommand }: Context) => [
      askUser('a', 'What?'),
      agentTask('t', 'Think', { b: 1 }),
      runCommand('c', 'true', 5),
    ];
    const command = { exit_code: 0, stdout: '', stderr: '' };
    expect(await cameTo(program)).toMatchObject(pending(1, 'a'));
    expect(await cameTo(program, { value: 'x' })).toMatchObject(pending(2, 't'));
    expect(await cameTo(program, { value: 'x' }, [1])).toMatchObject(pending(3, 'c'));
    expect(await cameTo(program, { value: 'x' }, [1], command)).toEqual(completed(['x', [1], command]));
  });

  it('is told its input, and nothing when there is none', async () => {
    const input = { city: 'Bern' };
    const given = await replayProgram((ctx) => ctx.input, readJournal(JSON.stringify({ ...HEAD, input })));
    expect(JSON.parse(given)).toEqual(completed(input));
    expect(await cameTo((ctx) => [ctx.input === undefined])).toEqual(completed([true]));
  });

  it('ends in four ways, with the trail of its claims', async () => {
    const trail = [{ claim: 'held', passed: true }];
    const held = (ctx: Context) => ctx.require(true, 'held');
    const terminal = (status: string, reason: string) => ({ type: 'terminal', terminal: { status, reason } });
    expect(await cameTo((ctx) => (held(ctx), ctx.complete({ a: 1 })))).toEqual(completed({ a: 1 }, trail));
    expect(await cameTo((ctx) => (held(ctx), ctx.blocked('why')))).toEqual({
      ...terminal('blocked', 'why'),
      requirements: trail,
    });
    expect(await cameTo((ctx) => ctx.refused('why'))).toMatchObject(terminal('refused', 'why'));
    expect(await cameTo((ctx) => ctx.require(false, 'broken', [0]))).toMatchObject({
      ...terminal('requirement_failed', 'broken'),
      requirements: [{ claim: 'broken', passed: false, evidence_digest: expect.stringMatching(/^sha256:/u) }],
    });
  });

  it('that throws is thrown out', async () => {
    await expect(
      cameTo(() => {
        throw new Error('kaboom');
      }),
    ).rejects.toThrow('kaboom');
    await expect(cameTo(() => 1n)).rejects.toThrow(TypeError);
  });
});

describe('what a program came to', () => {
  const caught = (act: () => unknown) => {
    try {
      act();
    } catch {
      // What an author should not do.
    }
  };

  it('stays, whatever the program does with the exception', async () => {
    const swallows = (ctx: Context) => {
      caught(() => ctx.askUser('a', 'first?'));
      caught(() => ctx.require(false, 'later'));
      caught(() => ctx.refused('later'));
      caught(() => ctx.askUser('b', 'second?'));
      return 'done';
    };
    expect(await cameTo(swallows)).toMatchObject({ ...pending(1, 'a'), requirements: [] });
    const throwsAnother = (ctx: Context) => {
      caught(() => ctx.blocked('why'));
      throw new Error('another');
    };
    expect(await cameTo(throwsAnother)).toMatchObject({ terminal: { status: 'blocked' } });
  });

  it('stays a divergence, too', async () => {
    const first = (ctx: Context) => ctx.askUser('a', 'first?');
    const entries = [{ request: { id: 'b', kind: 'ask_user', payload: {} }, response: {} }];
    const swallows = (ctx: Context) => (caught(() => first(ctx)), 'done');
    expect(await outputOf(swallows, entries)).toMatchObject({
      type: 'diverged',
      divergence: {
        sequence: 1,
        detail: 'replay produced operation "a" (ask_user) where the journal recorded "b" (ask_user)',
      },
    });
  });

  it('is an operation that an async program reaches; its result is lost, and that is said', async () => {
    const warnings: unknown[] = [];
    const listen = (warning: Error) => warnings.push(warning);
    process.on('warning', listen);
    const later = async (ctx: Context) => {
      await Promise.resolve();
      return ctx.askUser('a', 'first?');
    };
    expect(await cameTo(later)).toMatchObject(pending(1, 'a'));
    expect(await cameTo(later, { value: 'x' })).toEqual(completed({}));
    await until(() => warnings.length > 0);
    process.off('warning', listen);
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'PROGRAM_ASYNC' }));
  });
});

describe('a schema of a library', () => {
  const schema = z.object({
    at: z.string().transform((text) => text.length),
    tries: z
      .number()
      .default(3)
      .refine((tries) => tries < 5, 'too many'),
  });
  const task = (ctx: Context) => ctx.agentTask('t', 'Think', undefined, schema);

  it('is asked for as the JSON Schema of its input, and answers go through it', async () => {
    expect(await cameTo(task)).toMatchObject({
      envelope: { request: { output_schema: { properties: { at: { type: 'string' } }, required: ['at'] } } },
    });
    expect(await cameTo(task, { at: 'noon' })).toEqual(completed({ at: 4, tries: 3 }));
  });

  it('refuses what its JSON Schema let pass, in a way that a program can ask again', async () => {
    await expect(cameTo(task, { at: 'noon', tries: 9 })).rejects.toMatchObject({
      code: 'ANSWER_INVALID',
      message: expect.stringContaining('the answer to "t" is not what its schema wants: tries: too many'),
    });
    const patient = (ctx: Context) => {
      try {
        return task(ctx);
      } catch {
        return ctx.askUser('again', 'How many?');
      }
    };
    expect(await cameTo(patient)).toMatchObject(pending(1, 't'));
    expect(await cameTo(patient, { at: 'noon', tries: 9 })).toMatchObject(pending(2, 'again'));
  });

  it.each<[string, object, string]>([
    ['writes no JSON Schema', {}, 'a schema of mute has no "~standard".jsonSchema'],
    [
      'waits',
      { jsonSchema: { input: () => ({}) }, validate: async (value: unknown) => ({ value }) },
      'a schema of mute validates asynchronously',
    ],
    [
      'has what JSON has not',
      z.date()['~standard'],
      'a schema of zod cannot be written as JSON Schema: Error: Date cannot be represented',
    ],
  ])('is refused when it %s', async (_what, standard, message) => {
    const odd = {
      '~standard': { version: 1, vendor: 'mute', validate: () => ({ value: 1 }), ...pick(standard) },
    };
    await expect(
      cameTo((ctx) => ctx.agentTask('t', 'Think', 0, odd as unknown as AnswerSchema), 1),
    ).rejects.toMatchObject({
      code: 'SCHEMA_UNUSABLE',
      message: expect.stringContaining(message),
    });
  });
});

/** Zod keeps some of it behind getters. */
function pick(standard: object): object {
  const { vendor = 'mute', jsonSchema } = standard as { vendor?: string; jsonSchema?: unknown };
  return { ...standard, vendor, ...(jsonSchema !== undefined && { jsonSchema }) };
}
