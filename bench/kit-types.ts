import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { whole, type Report } from './table.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const FOLDER = join(ROOT, 'node_modules/.cache/kit-types');
const COMPILER = join(ROOT, 'node_modules/typescript/lib/tsc.js');
const TIMEOUT_MS = 120_000;
const END = '{ terminal: true }';

/** What a strict project of an author has. */
const STRICT = [
  '--ignoreConfig',
  '--noEmit',
  '--strict',
  '--exactOptionalPropertyTypes',
  '--noUncheckedIndexedAccess',
  '--skipLibCheck',
  '--module',
  'nodenext',
  '--target',
  'es2023',
  '--types',
  'node',
  '--customConditions',
  '@skillyard/source',
  '--allowImportingTsExtensions',
  '--extendedDiagnostics',
];

/** Skills by what they are, with the number of steps. The first has the same schemas and nothing of the kit: what ArkType costs. */
const SKILLS: readonly (readonly [name: string, key: string, source: string])[] = [
  ['300 schemas alone', 'schemas300', schemas(300)],
  ['chain of 20', 'chain20', chain(20)],
  ['chain of 100', 'chain100', chain(100)],
  ['chain of 300', 'chain300', chain(300)],
  ['chain of 500', 'chain500', chain(500)],
  ['one branch 200 wide', 'wide200', wide(200)],
  ['200 branches in a row', 'branches200', branches(200)],
];

/** How long TypeScript takes for skills of several sizes; every step reads the results of two others. */
export function benchKitTypes(): Promise<Report> {
  mkdirSync(FOLDER, { recursive: true });
  const rows: string[][] = [];
  const summary: Record<string, number> = {};
  for (const [name, key, source] of SKILLS) {
    const { seconds, checkSeconds, instantiations } = compile(join(FOLDER, `${key}.ts`), source);
    rows.push([name, seconds.toFixed(1), checkSeconds.toFixed(1), whole(instantiations)]);
    summary[`${key}Seconds`] = seconds;
  }
  rmSync(FOLDER, { recursive: true });
  return Promise.resolve({
    title: 'Type checking skills (tsc, one process each, reading the libraries included)',
    columns: ['skill', 'total s', 'checking s', 'instantiations'],
    rows,
    summary,
  });
}

interface Measured {
  readonly seconds: number;
  readonly checkSeconds: number;
  readonly instantiations: number;
}

/** @throws Error when the source does not compile: what is not right is not measured */
function compile(file: string, source: string): Measured {
  writeFileSync(file, source);
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMPILER, ...STRICT, file], {
    cwd: dirname(file),
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
  });
  if (status !== 0)
    throw new Error(`${file} does not compile:\n${stdout.slice(0, 2000)}${stderr.slice(0, 2000)}`);
  const read = (label: string): number =>
    Number(new RegExp(`^${label}:\\s+([\\d.]+)`, 'mu').exec(stdout)?.[1]);
  return {
    seconds: read('Total time'),
    checkSeconds: read('Check time'),
    instantiations: read('Instantiations'),
  };
}

function schema(index: number): string {
  return `type({ v: 'string', n${index}: 'number' })`;
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function schemas(count: number): string {
  return [
    `import { type } from 'arktype';`,
    ...upTo(count).map((index) => `export const s${index} = ${schema(index)};`),
  ].join('\n');
}

function skillOf(entry: string, steps: readonly string[]): string {
  return [
    `import { skill, type } from '@skillyard/kit';`,
    `export default skill({ name: 'measured', entry: '${entry}', params: type({ p: 'string' }) })`,
    ...steps,
    '.build();',
  ].join('\n');
}

function step(name: string, index: number, prompt: string, next: string): string {
  return `.step('${name}', { prompt: ({ store, params }) => \`\${params.p}${prompt}\`, response: ${schema(index)}, next: ${next} })`;
}

function chain(count: number): string {
  const steps = upTo(count).map((index) =>
    step(
      `s${index}`,
      index,
      index === 0 ? '' : `\${store.steps.s0.v}\${store.steps.s${index - 1}.n${index - 1}}`,
      index === count - 1 ? END : `'s${index + 1}'`,
    ),
  );
  return skillOf('s0', steps);
}

/** One step that leads to any of many, which meet again. */
function wide(count: number): string {
  const ways = upTo(count).map(
    (index) => `{ to: 'w${index}', when: ({ response }) => response.v === '${index}' }`,
  );
  return skillOf('root', [
    step('root', 0, '', `[${ways.join(', ')}, { to: 'end' }]`),
    ...upTo(count).map((index) => step(`w${index}`, index, '${store.steps.root.v}', `'end'`)),
    step('end', 0, '${store.steps.root.v}${store.steps.w0?.v}', `'last'`),
    step('last', 0, '${store.steps.end.v}', END),
  ]);
}

/** Many steps that go on or make one step more first. */
function branches(count: number): string {
  return skillOf('b0', [
    ...upTo(count).flatMap((index) => [
      step(
        `b${index}`,
        index,
        index === 0 ? '' : `\${store.steps.b${index - 1}.v}\${store.steps.x${index - 1}?.v}`,
        `({ response }) => (response.v ? 'x${index}' : 'b${index + 1}')`,
      ),
      step(`x${index}`, index, `\${store.steps.b${index}.v}`, `'b${index + 1}'`),
    ]),
    step(`b${count}`, count, `\${store.steps.b${count - 1}.v}`, END),
  ]);
}
