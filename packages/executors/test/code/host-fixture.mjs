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
  large: () => 'x'.repeat(5_000_000),
  huge: () => 'x'.repeat(100_000_000),
};

const nested = (depth) => '['.repeat(depth) + ']'.repeat(depth);
const observation = '{"event":"onStepStart","step":"s","data":{}}';
const end = '{"do":"end","output":null,"error":null}';
/** Answers to `decide` as they are written: what no honest host would. */
const LINES = {
  'no decision': (id) =>
    `{"id":${id},"decision":{"directive":{"do":"fly"},"observed":[],"passed":[]},"memo":null}`,
  'no fields': (id) => `{"id":${id}}`,
  'no JSON': (id) => `{"id":${id},"decision":{{{`,
  'no number first': (id) => `{"decision":7,"memo":null,"id":${id}}`,
  'a deep output': (id) =>
    `{"id":${id},"decision":{"directive":{"do":"end","output":${nested(900_000)},"error":null},"observed":[],"passed":[]},"memo":null}`,
  'a deep memo': (id) =>
    `{"id":${id},"decision":{"directive":${end},"observed":[],"passed":[]},"memo":${nested(1001)}}`,
  'a million observations': (id) =>
    `{"id":${id},"decision":{"directive":${end},"observed":[${`${observation},`.repeat(999_999)}${observation}],"passed":[]},"memo":null}`,
  'ten thousand observations': (id) =>
    `{"id":${id},"decision":{"directive":${end},"observed":[${`${observation},`.repeat(9999)}${observation}],"passed":[]},"memo":null}`,
  'a time without end': (id) =>
    `{"id":${id},"decision":{"directive":{"do":"act","step":"s","action":"a","effect":"once","input":null,"timeoutMs":1e300},"observed":[],"passed":[]},"memo":null}`,
  'no question': (id) =>
    `{"id":${id},"decision":{"directive":{"do":"ask","step":"s","questions":[]},"observed":[],"passed":[]},"memo":null}`,
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
  if (LINES[word] !== undefined) {
    process.stdout.write(`${LINES[word](request.id)}\n`);
    continue;
  }
  void (async () => ORDERS[word](request))().then(
    (value = null) => {
      const directive = { do: 'end', output: value, error: null };
      const decided = { decision: { directive, observed: [], passed: [] }, memo: { order: word } };
      send({ id: request.id, ...(request.op === 'act' ? { value } : decided) });
    },
    (error) => send({ id: request.id, error: { code: error.code ?? 'Error', message: error.message } }),
  );
}
