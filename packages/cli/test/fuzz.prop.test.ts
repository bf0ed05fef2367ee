/**
 * Ten thousand damaged inputs for whatever reads files of others: no crash, no hang, no error that is not ours.
 * FUZZ_RUNS=100000 for a night.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadAgentSkills } from '@skillyard/catalog';
import { SkillyardError } from '@skillyard/contracts';
import { loadSkill, migrateSkill } from '@skillyard/engine';
import { lintSkill, preflight } from '@skillyard/lint';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, it } from 'vitest';

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 10_000);
const CONFORMANCE = fileURLToPath(new URL('../../../conformance/', import.meta.url));

/** What makes YAML, templates, conditions and front matter stumble. */
const SPLINTERS = [
  '',
  '\n',
  '\r\n',
  '\n\n',
  ' ',
  '  ',
  '\t',
  ':',
  ': ',
  '- ',
  '- - - ',
  '? ',
  '{',
  '}',
  '[',
  ']',
  '"',
  "'",
  '#',
  '%',
  '@',
  '`',
  '&a ',
  '*a',
  '<<: *a',
  '|\n',
  '>-\n',
  '!!int ',
  '!!binary ',
  '---\n',
  '...\n',
  '\ufeff',
  '\u0000',
  '\ud800',
  '\u2028',
  '{{',
  '}}',
  '{{x}}',
  '{{x.y[0]}}',
  '{{x[999999999999]}}',
  '{{asset:x}}',
  '[mem:a]',
  'null',
  '~',
  '1e999',
  '-0',
  'yes',
  'skill_engine_version: "2.5.0"\n',
  'skill_engine_version: 1.0.0\n',
  'name: ',
  'steps:\n',
  'workflow:\n',
  'when: ',
  'cond: ',
  'contains ',
  ' is empty',
  ' == ',
  'for_each: ',
  'max_iterations: 1000000000\n',
  'on_empty: retry\n',
  'a'.repeat(3000),
  '['.repeat(200),
  '- '.repeat(200),
  '{a: '.repeat(100),
];

type Change = readonly [kind: 'put' | 'cut' | 'repeat' | 'swap', at: number, what: number, length: number];

const change: fc.Arbitrary<Change> = fc.tuple(
  fc.constantFrom('put', 'cut', 'repeat', 'swap'),
  fc.nat(),
  fc.nat(),
  fc.nat({ max: 60 }),
);

function damaged(text: string, changes: readonly Change[]): string {
  let changed = text;
  for (const [kind, at, what, length] of changes) {
    const from = at % (changed.length + 1);
    const piece = changed.slice(from, from + length);
    const before = changed.slice(0, from);
    const after = changed.slice(from + length);
    if (kind === 'put') changed = before + (SPLINTERS[what % SPLINTERS.length] ?? '') + changed.slice(from);
    else if (kind === 'cut') changed = before + after;
    else if (kind === 'repeat') changed = before + piece.repeat(2 + (what % 4)) + after;
    else changed = before + piece.split('').toReversed().join('') + after;
  }
  return changed;
}

let skills: string[];
let folder: string;
beforeAll(async () => {
  const files = await Promise.all(
    ['validate', 'execute', 'lint'].map((name) => readFile(`${CONFORMANCE}${name}.json`, 'utf8')),
  );
  const cases = files.flatMap((text) => JSON.parse(text) as { input: { skill: string } }[]);
  const older = JSON.parse(await readFile(`${CONFORMANCE}migrate.json`, 'utf8')) as {
    input: { text: string };
  }[];
  skills = [...cases.map(({ input }) => input.skill), ...older.map(({ input }) => input.text)];
  folder = await mkdtemp(join(tmpdir(), 'skillyard-fuzz-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs something that may refuse its input, and in no other way than with an error of ours. */
async function mayRefuse(work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!SkillyardError.is(error)) throw error;
  }
}

const INSTALLATION = { effects: {}, modelOf: () => ({}), guess: { input: 1, output: 1 } };

describe('damaged files', () => {
  it('of skills are loaded or refused, linted, migrated or left alone, and looked at before they run', async () => {
    const text = fc.oneof(
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 400 }) },
      {
        weight: 9,
        arbitrary: fc
          .tuple(fc.nat(), fc.array(change, { minLength: 1, maxLength: 6 }))
          .map(([which, changes]) => damaged(skills[which % skills.length] ?? '', changes)),
      },
    );
    await fc.assert(
      fc.asyncProperty(text, async (source) => {
        const loaded = loadSkill(source);
        lintSkill(source, { file: 'fuzz.yaml' });
        migrateSkill(source);
        const { skill } = loaded;
        if (skill !== null) await mayRefuse(() => preflight(skill, INSTALLATION));
      }),
      { numRuns: RUNS },
    );
  }, 600_000);

  it('of agent skills are read or passed over, whatever is in them', async () => {
    const places = { cwd: folder, home: folder };
    const child = join(folder, 'skills', 'some');
    await mkdir(child, { recursive: true });
    const seed =
      '---\nname: some\ndescription: Does things: all of them.\ntags: [a, b]\nmetadata:\n  k: v\n---\n# Body\n';
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 6 }), fc.boolean(), async (changes, strict) => {
        await writeFile(join(child, 'SKILL.md'), damaged(seed, changes));
        const config = { paths: ['skills'], enable_default_skills: true, strict };
        await mayRefuse(() => loadAgentSkills(config, places));
      }),
      { numRuns: RUNS },
    );
  }, 600_000);

  it('of archives are read as far as they go, or refused', async () => {
    const names = [
      '36-strict-inside-tar/bad.tar',
      '25-tar-unsafe-and-odd/odd.tar',
      '28-tar-not-gzip/fake.tar.gz',
    ];
    const seeds = await Promise.all(names.map((name) => readFile(`${CONFORMANCE}agent-skills/${name}`)));
    const bite = fc.tuple(fc.nat(), fc.nat({ max: 255 }));
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 2 }),
        fc.array(bite, { maxLength: 12 }),
        fc.nat(),
        async (which, bites, cut) => {
          const bytes = Buffer.from(seeds[which] ?? Buffer.alloc(0));
          for (const [at, value] of bites) if (bytes.length > 0) bytes[at % bytes.length] = value;
          const kept = cut % 3 === 0 ? bytes.subarray(0, cut % (bytes.length + 1)) : bytes;
          const name = which === 2 ? 'skills.tar.gz' : 'skills.tar';
          await writeFile(join(folder, name), kept);
          const config = { paths: [name], enable_default_skills: true };
          await mayRefuse(() => loadAgentSkills(config, { cwd: folder, home: folder }));
        },
      ),
      { numRuns: Math.ceil(RUNS / 10) },
    );
  }, 600_000);
});
