/** What the compiler tells the author of a program. `npm run types` is what fails here; running it shows nothing. */
import type { CommandResult } from '@skillyard/contracts';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { describe, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import type { Context } from './context.ts';
import { main } from './main.ts';

/** Never run: its body is for the compiler. */
function author(_write: (context: Context) => void): void {}

describe('the types of a context', () => {
  it('make an answer one of the values of its options', () => {
    author((ctx) => {
      const lanes = [{ value: 'air', label: 'By air' }, { value: 'sea' }] as const;
      expectTypeOf(ctx.askUser('a', 'Which?', lanes)).toEqualTypeOf<'air' | 'sea'>();
      expectTypeOf(ctx.askUser('a', 'Which?', [{ value: 'yes' }, { value: 'no' }])).toEqualTypeOf<
        'yes' | 'no'
      >();
      const computed = ['x', 'y'].map((value) => ({ value }));
      expectTypeOf(ctx.askUser('a', 'Which?', computed)).toEqualTypeOf<string>();
      expectTypeOf(ctx.askUser('a', 'What?')).toEqualTypeOf<string>();
      expectTypeOf(ctx.askUser('a', 'What?', [])).toEqualTypeOf<string>();
      // @ts-expect-error a value is a text
      ctx.askUser('a', 'Which?', [{ value: 1 }]);
      // @ts-expect-error this is never an answer
      if (ctx.askUser('a', 'Which?', [{ value: 'yes' }]) === 'no') ctx.refused('no');
    });
  });

  it('make the answer to a task what its schema gives', () => {
    author((ctx) => {
      const schema = z.object({ n: z.string().transform(Number), d: z.number().default(1) });
      expectTypeOf(ctx.agentTask('t', 'Think', undefined, schema)).toEqualTypeOf<{ n: number; d: number }>();
      expectTypeOf(ctx.agentTask('t', 'Think', { a: 1 }, { type: 'object' })).toEqualTypeOf<unknown>();
      expectTypeOf(ctx.agentTask<string[]>('t', 'Think', null, { type: 'array' })).toEqualTypeOf<string[]>();
      expectTypeOf(ctx.agentTask('t', 'Think')).toEqualTypeOf<unknown>();
      expectTypeOf(ctx.agentTask('t', 'Think', null, true)).toEqualTypeOf<unknown>();
      const mute: StandardSchemaV1<string> = {
        '~standard': { version: 1, vendor: 'mute', validate: (value) => ({ value: String(value) }) },
      };
      // @ts-expect-error a schema that writes no JSON Schema
      ctx.agentTask('t', 'Think', null, mute);
    });
  });

  it('know what a command gives, and that an ending never returns', () => {
    author((ctx) => {
      expectTypeOf(ctx.runCommand('c', 'true', 5)).toEqualTypeOf<CommandResult>();
      expectTypeOf(ctx.complete).returns.toEqualTypeOf<never>();
      expectTypeOf(ctx.input).toEqualTypeOf<unknown>();
      // @ts-expect-error a claim holds or does not
      ctx.require('yes', 'a text is no proof');
    });
  });

  it('take a program that is synchronous only', () => {
    author(() => {
      main((ctx) => ({ said: ctx.askUser('a', 'What?'), thought: ctx.agentTask('t', 'Think') }));
      main((ctx) => ctx.agentTask('t', 'Think'));
      main((ctx) => ctx.refused('no'));
      main(() => {});
      // @ts-expect-error a promise is no result
      main(async (ctx) => ctx.askUser('a', 'What?'));
      // @ts-expect-error nor when it is one of several
      main((ctx) => (ctx.askUser('a', 'What?') === '' ? Promise.resolve(1) : 2));
    });
  });
});
