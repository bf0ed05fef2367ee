// oxlint-disable node/no-process-env -- a process of its own, which is given nothing else
/*
 * The code of a skill as a worker sees it: speaks the protocol of the host, and does what its requests say. What it does is
 * written to the file that EFFECTS names, one word a line.
 */
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const send = (reply) => process.stdout.write(`${JSON.stringify(reply)}\n`);
const effect = (word) => appendFileSync(process.env.EFFECTS, `${word}\n`);
const cancels = new Map();

const ORDERS = {
  pid: () => process.pid,
  env: () => Object.keys(process.env).toSorted(),
  cwd: () => process.cwd(),
  rounds: (request) => request.rounds,
  input: (request) => request.input,
  secret: () => process.env.CALENDAR_TOKEN,
  throw: () => {
    throw Object.assign(new Error('the oven is cold'), { code: 'OVEN' });
  },
  die: () => process.exit(7),
  spin: () => {
    for (;;);
  },
  chat: () => {
    process.stdout.write('hello from the author\n{"not": "a reply"}\n');
    return 'done';
  },
  cancellable: (request) =>
    new Promise((_, reject) => cancels.set(request.id, () => reject(new Error('told to stop')))),
  never: () => new Promise(() => {}),
};

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  if (request.op === 'cancel') {
    effect('cancelled');
    cancels.get(request.request)?.();
    continue;
  }
  const word = request.op === 'act' ? request.step : request.event.vars.order;
  if (request.op === 'act') effect(word);
  void (async () => ORDERS[word](request))().then(
    (value = null) => {
      const directive = { do: 'end', output: value, error: null };
      const decided = { decision: { directive, observed: [], passed: [] }, memo: { order: word } };
      send({ id: request.id, ...(request.op === 'act' ? { value } : decided) });
    },
    (error) => send({ id: request.id, error: { code: error.code ?? 'Error', message: error.message } }),
  );
}
