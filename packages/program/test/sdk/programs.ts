/** Programs for the processes of `sdk-process.test.ts`: the first argument says which. */
import { main, type Context } from '../../src/index.ts';

const PROGRAMS: Readonly<Record<string, (context: Context) => unknown>> = {
  asks: ({ askUser }) => askUser('a', 'What?'),
  'is-long': () => 'é'.repeat(4_000_000),
  lingers: () => {
    setInterval(() => {}, 1000);
    return 'done';
  },
  throws: () => {
    throw new Error('kaboom');
  },
  // Types would not let it be: it is what an author without types may write.
  'waits-for-ever': () => new Promise(() => {}),
};

main<unknown>(PROGRAMS[process.argv[2] ?? ''] ?? (() => 'no such program'));
