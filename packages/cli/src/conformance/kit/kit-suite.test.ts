import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CaseResult } from '../run-case.ts';
import { openKitRecordings } from './kit-suite.ts';

const SKILL = `
import { skill, type, terminal } from '@contentful/skill-kit';
export default skill({ name: 'ferry', entry: 'ask', params: type({ seats: 'number = 2' }) })
  .step('ask', { prompt: ({ params, attempts }) => \`\${params.seats} seats, try \${attempts}.\`, response: type({ to: 'string' }), next: ({ response }) => response.to })
  .step('count', { save: () => ({ step: { full: true } }), next: 'check' })
  .step('check', { next: terminal })
  .build();
`;
const gates = [
  { step: 'count', response: {}, result: { full: true } },
  { step: 'check', response: {}, result: {} },
];
const answered = { step: 'ask', response: { to: 'ask' }, result: { to: 'ask' } };
const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: { to: { type: 'string' } },
  required: ['to'],
};
const again = {
  kind: 'prompt',
  step: 'ask',
  prompt: '<prompt>\n2 seats, try 1.\n</prompt>',
  schema,
  completed: answered,
};
const left = { step: 'ask', response: { to: 'count' }, result: { to: 'count' } };

/** What another implementation did, its loss of the answered step included. */
const RECORDINGS = {
  'transcripts/ferry.cli-stateless.loop.json': {
    skill: 'ferry',
    transport: 'cli-stateless',
    calls: [
      {
        argv: ['advance', '--step', 'ask', '--output', '{"to":"ask"}'],
        stdout_json: again,
        stderr: null,
        exit_code: 0,
      },
      {
        argv: ['advance', '--step', 'ask', '--output', '{"to":"count"}'],
        stdout_json: { kind: 'done', done: true, finalOutput: {}, completed: gates[1], autoAdvanced: gates },
        stderr: null,
        exit_code: 0,
      },
    ],
  },
  'testing-kit.json': [
    {
      label: 'runSkill in turn',
      result: {
        path: ['ask', 'ask', 'count', 'check'],
        outputs: { ask: { to: 'count' } },
        response: { to: 'count' },
        history: [answered, left, ...gates],
      },
    },
  ],
  'save-semantics.json': [
    {
      label: "save {step: 'kept', env: {h: 'x'}} with action",
      next_prompt: '<prompt>\n{"a":"kept","env":{"h":"x"}}\n</prompt>',
      completed: { step: 'a', response: { n: 5 }, actionResult: { act: 1 }, result: 'kept' },
      stderr_warnings: 0,
    },
  ],
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skillyard-ferry-'));
  await mkdir(join(folder, 'skills/ferry'), { recursive: true });
  await mkdir(join(folder, 'transcripts'));
  await writeFile(join(folder, 'skills/ferry/skill.ts'), SKILL);
  await writeFile(join(folder, 'INDEX.md'), '| file | ids |\n|---|---|\n| ferry.cli-stateless.loop | D1 |\n');
});
afterAll(async () => rm(folder, { recursive: true }));

async function results(recordings: Readonly<Record<string, unknown>>): Promise<readonly CaseResult[]> {
  for (const [file, recording] of Object.entries(recordings)) {
    await writeFile(join(folder, file), JSON.stringify(recording));
  }
  const { files, close } = await openKitRecordings(folder, folder);
  try {
    return (await Promise.all(files.map(({ run }) => run()))).flat();
  } finally {
    await close();
  }
}

// Each builds the skill and starts processes.
describe('the suite kit', { timeout: 120_000 }, () => {
  it('judges recordings of a skill that it has never seen', async () => {
    const found = await results(RECORDINGS);
    expect(found.map(({ problem, differences }) => [problem, differences])).toEqual(
      Array.from({ length: 4 }, () => [null, []]),
    );
    expect(found.flatMap(({ correction = [] }) => correction)).toEqual([
      'a step that is followed by gates is not lost',
    ]);
  });

  it('says which call of which file is other than recorded, and how, also where a correction applies', async () => {
    const text = JSON.stringify(RECORDINGS)
      .replace('2 seats, try 1.', '3 seats, try 1.')
      .replace('"step":"check","response":{}', '"step":"check","response":{"n":1}')
      .replace('"response":{"to":"count"},"history"', '"response":{"to":"there"},"history"')
      .replace('"stderr_warnings":0', '"stderr_warnings":1');
    const found = await results(JSON.parse(text) as typeof RECORDINGS);
    expect(found.map(({ id, differences }) => [id, differences[0]?.path])).toEqual([
      ["save-semantics.json#save {step: 'kept', env: {h: 'x'}} with action", 'stderr_warnings'],
      ['testing-kit.json#runSkill in turn', 'response.to'],
      ['ferry.cli-stateless.loop#0', 'stdout.prompt'],
      ['ferry.cli-stateless.loop#1', 'stdout.finalOutput.to'],
    ]);
  });
});
