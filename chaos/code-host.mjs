/*
 * The code of a skill of the crash tests, as a worker starts it. It has its action write a line, once, and ends with what
 * the action said.
 */
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** @param {{ event: any, rounds: any[] }} request */
function decide({ event, rounds }) {
  const decided = (directive) => ({ decision: { directive, observed: [], passed: [] }, memo: event });
  if (event.type === 'acted') {
    const output = `For ${rounds[0].memo.vars.key}: ${event.value}`;
    return decided({ do: 'end', output, error: null });
  }
  const { file, key } = event.vars;
  return decided({ do: 'act', step: 'post', action: 'append', effect: 'once', input: { file, key } });
}

/** @param {{ input: { file: string, key: string } }} request */
function act({ input }) {
  appendFileSync(input.file, `${input.key}\n`);
  return { value: 'appended' };
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  if (request.op === 'cancel') continue;
  const reply = request.op === 'act' ? act(request) : decide(request);
  process.stdout.write(`${JSON.stringify({ id: request.id, ...reply })}\n`);
}
