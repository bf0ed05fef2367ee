import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What stands before a program: the protocol as small as it gets, so that a program is one file that runs in any folder. An operation
 * gives its result or ends the process.
 */
const OPERATIONS = `
import { existsSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { createHash } from 'node:crypto';
const journal = JSON.parse(readFileSync(process.env.YIELD_JOURNAL, 'utf8'));
const { entries } = journal;
const requirements = [];
let at = 0;
const print = (output) => {
  writeSync(1, JSON.stringify(output) + '\\n');
  process.exit(0);
};
const digest = ({ kind, id, payload, output_schema }) =>
  'sha256:' + createHash('sha256').update([kind, id, JSON.stringify(payload), JSON.stringify(output_schema) ?? ''].join('\\0')).digest('hex');
const operation = (kind) => (id, payload, output_schema) => {
  const request = { id, kind, payload, output_schema };
  const entry = entries[at++];
  const { run_id, skill } = journal;
  if (!entry) print({ type: 'request', envelope: { protocol: 'yield.v1', run_id, skill, sequence: at, request }, requirements });
  const [expected_digest, got_digest] = [digest(entry.request), digest(request)];
  if (expected_digest !== got_digest) print({ type: 'diverged', divergence: { sequence: at, expected_digest, got_digest } });
  return entry.response.result;
};
const [ask, task, command] = ['ask_user', 'agent_task', 'run_command'].map(operation);
const sh = (id, text) => command(id, { command: text });
const end = (status, rest) => print({ type: 'terminal', terminal: { status, ...rest }, requirements });
`;

/**
 * Makes the folder of a skill with a program.
 * @param program JavaScript that may use `ask`, `task`, `command`, `sh`, `end`, `requirements`, `journal` and `entries`
 * @returns the folder
 */
export function makeSkill(parent: string, name: string, program: string): string {
  const folder = join(parent, name);
  mkdirSync(folder, { recursive: true });
  const manifest = { version: 1, yield_version: '0.2.0', language: 'node', run: ['node', 'main.mjs'] };
  writeFileSync(join(folder, 'skill.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'main.mjs'), `${OPERATIONS}\n${program}`);
  return folder;
}
