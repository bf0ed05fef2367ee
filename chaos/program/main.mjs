/*
 * A program of the crash tests: it has a line written by a command, once, and ends with what the command said.
 */
import { readFileSync } from 'node:fs';

const { run_id, skill, entries, input } = JSON.parse(readFileSync(process.env.YIELD_JOURNAL, 'utf8'));
const { key, file } = input;
const [written] = entries;

/** @returns {Record<string, unknown>} */
function output() {
  if (written !== undefined) {
    const result = `For ${key}: ${written.response.result.stdout.trim()}`;
    return { type: 'terminal', terminal: { status: 'completed', result } };
  }
  const payload = { command: `echo '${key}' >> '${file}' && echo appended` };
  const request = { id: 'post', kind: 'run_command', payload };
  return { type: 'request', envelope: { protocol: 'yield.v1', run_id, skill, sequence: 1, request } };
}

process.stdout.write(`${JSON.stringify(output())}\n`);
