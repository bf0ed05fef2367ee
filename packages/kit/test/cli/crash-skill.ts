/** A skill that can die wherever its author's code is called. A script: it serves the command line. */
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type } from 'arktype';
import { main } from '../../src/cli/index.ts';
import { definition } from './definition.ts';

/** Where it writes down what it does. */
const folder = process.env['MARKS'] ?? '';

function point(name: string): void {
  if (process.env['DIE_AT'] === name) process.kill(process.pid, 'SIGKILL');
}

async function act(name: string, signal: AbortSignal): Promise<unknown> {
  point(`${name} begins`);
  appendFileSync(join(folder, name), `${process.pid}\n`);
  // What authors do.
  // oxlint-disable-next-line no-console
  console.log('the author prints');
  process.stdout.write('and writes\n');
  point(`${name} ends`);
  if (process.env['WAIT'] === 'yes') {
    writeFileSync(join(folder, 'waiting'), '');
    while (!existsSync(join(folder, 'go'))) await sleep(5, undefined, { signal });
  }
  return { acted: name };
}

const skill = definition(
  'crash',
  {
    plant: {
      prompt: 'How many rows?',
      response: type({ rows: 'number' }),
      action: ({ signal }) => act('plant', signal),
      save: ({ actionResult }) => {
        point('save');
        return { step: actionResult };
      },
      next: () => {
        point('next');
        return 'gate';
      },
    },
    gate: {
      action: ({ signal }) => act('gate', signal),
      next: () => {
        point('next of the gate');
        return 'note';
      },
    },
    note: {
      prompt: ({ store }) => {
        point('prompt');
        return JSON.stringify(store.steps.history);
      },
      response: type({ note: 'string' }),
      next: { terminal: true },
    },
  },
  { observers: { onStepComplete: () => point('observer') } },
);

await main(skill);
