import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requestDigest, textDigest } from '@skillyard/program/supervisor';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasPassed } from '../report.ts';
import { openYieldRecordings } from './yield-suite.ts';

const SOURCE = `import { defineSkill } from "@operatorstack/yield";
defineSkill((ctx) => ({ to: ctx.askUser("to", "Which quay?"), fee: 1.5 }));
`;
const SCHEMA =
  '{"type":"object","required":["value"],"additionalProperties":false,"properties":{"value":{"type":"string"}}}';
const REQUEST = `{"id":"to","kind":"ask_user","payload":{"question":"Which quay?"},"output_schema":${SCHEMA}}`;
const SKILL = { name: 'ferry', digest: `sha256:${'ab'.repeat(32)}` };
const head = (run: string) => `"protocol":"yield.v1","run_id":"${run}","skill":${JSON.stringify(SKILL)}`;
const asked = (run: string) => `{${head(run)},"sequence":1,"request":${REQUEST}}`;
const journal = (...entries: unknown[]) => ({ run_id: 'run_1_00', skill: SKILL, entries });
const entry = {
  request: JSON.parse(REQUEST) as unknown,
  response: {
    run_id: 'run_1_00',
    sequence: 1,
    request_id: 'to',
    status: 'completed',
    result: { value: 'north' },
  },
};
const ended = '{"status":"completed","result":{"to":"north","fee":1.5}}';
const printedOf = (more: string) => [
  {
    journal: journal(),
    stdout: `{"type":"request","envelope":${asked('run_1_00')}${more}}\n`,
    stderr: '',
    exit_code: 0,
  },
  {
    journal: journal(entry),
    stdout: `{"type":"terminal","terminal":${ended}${more}}\n`,
    stderr: '',
    exit_code: 0,
  },
];
const program = (language: string, more: string) => ({
  program: 'ferry',
  language,
  program_source: SOURCE,
  cases: [{ name: 'north', steps: printedOf(more) }],
});

const call = (argv: string, exit_code: number, stdout: string, stderr = '') => ({
  scenario: 'crossing',
  argv: ['yskill', ...argv.split(' ')],
  cwd: '<root>/repo',
  exit_code,
  stdout,
  stderr,
});
const line = (seq: number, type: string, data: string) =>
  `{"seq":${seq},"type":"${type}","at":"<time>","data":${data}}`;
const envelope = `${JSON.stringify(JSON.parse(asked('<run-1>')), null, 2)}\n`;
const rejected = 'response is for run <run-2>, this run is <run-1>';
const result = '{"value":"north"}';
/** What another supervisor did, its belief in a failed answer included. */
const STEPS = [
  call('run skills/ferry', 0, envelope),
  { scenario: 'crossing', response_file: { ...entry.response, run_id: '<run-2>' } },
  call(
    'resume <run-1> --response r.json --skill skills/ferry',
    1,
    '',
    `yskill: rejected (wrong-run): ${rejected}\n`,
  ),
  call(
    'respond <run-1> --value north --skill skills/ferry',
    0,
    'run <run-1>: completed\nresult: {"to":"north","fee":1.5}\n',
  ),
  {
    scenario: 'crossing',
    run_log: [
      line(
        1,
        'run.started',
        `{"input_digest":"${textDigest('')}","run_id":"<run-1>","skill":${JSON.stringify(SKILL)}}`,
      ),
      line(2, 'operation.requested', asked('<run-1>')),
      line(3, 'response.rejected', `{"detail":"${rejected}","reason":"wrong-run"}`),
      line(
        4,
        'operation.completed',
        `{"request_id":"to","result":${result},"result_digest":"${textDigest(result)}","sequence":1}`,
      ),
      line(5, 'run.completed', '{"requirements":0,"result":{"to":"north","fee":1.5}}'),
    ],
  },
  { ...call('run skills/ferry', 0, envelope.replace('<run-1>', '<run-3>')), scenario: 'storm' },
  { scenario: 'storm', response_file: { ...entry.response, run_id: '<run-3>', status: 'failed' } },
  {
    ...call(
      'resume <run-3> --response r.json --skill skills/ferry',
      0,
      'run <run-3>: completed\nresult: {"to":"north","fee":1.5}\n',
    ),
    scenario: 'storm',
  },
];

const digest = requestDigest({ id: 'to', kind: 'ask_user', payload: '{"n":1}', outputSchema: null });
const file = { path: 'main.py', text: 'print(1)\n' };
const RECORDINGS = {
  'ferry.ts.json': program('typescript', ',"requirements":[]'),
  'ferry.go.json': program('go', ''),
  'digest-vectors.json': {
    vectors: [
      {
        name: 'spaced',
        request_json_text: '{"id":"to", "kind":"ask_user", "payload":{"n": 1}}',
        digest: { typescript: digest, go: digest },
      },
    ],
  },
  'skill-digests.json': {
    cases: [
      {
        name: 'one',
        files: { [file.path]: file.text },
        digest: textDigest(`${file.path}\0${file.text.length}\0${file.text}`),
      },
    ],
  },
  'cli-transcripts.json': { steps: STEPS },
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skillyard-ferry-'));
});
afterAll(async () => rm(folder, { recursive: true }));

async function results(recordings: Readonly<Record<string, unknown>>) {
  for (const [name, recording] of Object.entries(recordings)) {
    await writeFile(join(folder, name), JSON.stringify(recording));
  }
  const { files, close } = await openYieldRecordings(folder, folder);
  try {
    return (await Promise.all(files.map(({ run }) => run()))).flat();
  } finally {
    await close();
  }
}

// Each starts a process for every step.
describe('the suite yield', { timeout: 120_000 }, () => {
  it('judges recordings of a program that it has never seen', async () => {
    const found = await results(RECORDINGS);
    expect(found.filter((one) => !hasPassed(one))).toEqual([]);
    expect(
      found.flatMap(({ id, correction }) => (correction === undefined ? [] : [[id, correction]])),
    ).toEqual([['cli-transcripts.json#storm/2', 'only an operation that was completed is taken for one']]);
  });

  it('says which step of which file is other than recorded, and in what', async () => {
    const other = JSON.stringify(RECORDINGS)
      // Of the program: a number that a parser would take for the same.
      .replace(String.raw`\"fee\":1.5}},\"requirements\"`, String.raw`\"fee\":1.50}},\"requirements\"`)
      .replaceAll(
        digest,
        digest.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      )
      .replace(file.text.trim(), 'print(2)')
      .replace('this run is <run-1>\\n', 'that run is <run-1>\\n')
      .replace(String.raw`\"requirements\":0,\"result\"`, String.raw`\"requirements\":1,\"result\"`);
    const found = (await results(JSON.parse(other) as typeof RECORDINGS)).filter((one) => !hasPassed(one));
    expect(found.map(({ id, differences }) => [id, differences[0]?.path])).toEqual([
      ['cli-transcripts.json#crossing/2', 'stderr'],
      ['cli-transcripts.json#crossing/4', '[4].data.requirements'],
      ['digest-vectors.json#spaced/supervisor', ''],
      ['digest-vectors.json#spaced/typescript', ''],
      ['ferry.ts.json#north/1', 'stdout.terminal.result.fee'],
      ['skill-digests.json#one', ''],
    ]);
  });
});
