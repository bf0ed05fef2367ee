import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { validateSkillFolder } from '@skillyard/catalog';
import { loadSkill } from '@skillyard/engine';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BuildOptions, buildSkill, loadDefinition } from '../src/build/index.ts';

const SKILLS = fileURLToPath(new URL('../../../conformance/kit/skills/', import.meta.url));
const RECORDED = JSON.parse(
  readFileSync(new URL('../../../conformance/kit/build-outputs.json', import.meta.url), 'utf8'),
) as Record<
  string,
  { package_json: unknown; skill_md: { frontmatter: string[]; headings: string[]; command_lines: string[] } }
>;
const ALIASES = { aliases: ['@contentful/skill-kit'] };
/** Nothing of this repository: only a shell and Node. */
const BARE_ENV = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin` };

let work: string;
beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), 'kit-build-'));
});
afterAll(() => {
  rmSync(work, { recursive: true });
});

function build(name: string, options: Partial<BuildOptions> = {}) {
  return buildSkill(join(SKILLS, name, 'skill.ts'), {
    outDir: join(work, name),
    mode: 'node',
    ...ALIASES,
    ...options,
  });
}

/** Writes a source of its own into a folder of its own. */
function source(name: string, text: string): string {
  const folder = join(work, 'sources', name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'skill.ts'), text);
  return join(folder, 'skill.ts');
}

const ONE_STEP = `.step('a', { prompt: 'Do it.', next: terminal }).build();`;
const IMPORT = `import { skill, terminal } from '@skillyard/kit';\n`;

describe('buildSkill', () => {
  it('makes a folder that runs with nothing else around', async () => {
    const built = await build('tea-tasting');
    const moved = join(work, 'moved away');
    cpSync(built.dir, moved, { recursive: true });
    const { status, stdout } = spawnSync(join(moved, 'scripts/run'), ['--params', '{"leaf":"oolong"}'], {
      cwd: '/',
      env: BARE_ENV,
      encoding: 'utf8',
    });
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      kind: 'prompt',
      step: 'brew',
      prompt: '<prompt>\nBrew 3g of oolong (western), try 0.\n</prompt>',
    });
  });

  it.each(['tea-tasting', 'harbour-desk', 'knots-reference'])(
    'writes what was recorded of %s',
    async (name) => {
      const built = await build(name);
      const recorded = RECORDED[name];
      const text = readFileSync(join(built.dir, 'SKILL.md'), 'utf8');
      expect(text.split('\n').slice(1, (recorded?.skill_md.frontmatter.length ?? 0) + 2)).toEqual([
        ...(recorded?.skill_md.frontmatter ?? []),
        '---',
      ]);
      expect(text.split('\n').filter((line) => line.startsWith('#'))).toEqual(recorded?.skill_md.headings);
      expect(text.split('\n').filter((line) => line.startsWith('<skill>'))).toEqual(
        recorded?.skill_md.command_lines,
      );
      const packageJson = readFileSync(join(built.dir, 'package.json'), 'utf8');
      expect(packageJson).toBe(JSON.stringify(recorded?.package_json, null, 2));
    },
  );

  it('writes a SKILL.md that the open standard takes, and a skill file that the platform takes', async () => {
    const built = await build('gatehouse');
    expect(await validateSkillFolder(built.dir, 'gatehouse')).toEqual([]);
    const loaded = loadSkill(readFileSync(join(built.dir, 'skill.yaml'), 'utf8'));
    const bytes = readFileSync(join(built.dir, built.bundle?.file ?? ''));
    expect(loaded).toMatchObject({
      diagnostics: [],
      skill: {
        name: 'gatehouse',
        declaredMode: 'code',
        code: {
          file: 'bin/gatehouse.mjs',
          ref: {
            runtime: 'kit',
            name: 'gatehouse',
            sha256: createHash('sha256').update(bytes).digest('hex'),
          },
        },
      },
    });
  });

  it('gives the same bytes wherever it is built, and takes away what an earlier build has left', async () => {
    const copy = join(work, 'elsewhere', 'gatehouse');
    cpSync(join(SKILLS, 'gatehouse'), copy, { recursive: true });
    const here = await build('gatehouse', { outDir: join(work, 'here') });
    const there = await buildSkill(join(copy, 'skill.ts'), {
      outDir: join(work, 'there'),
      mode: 'node',
      ...ALIASES,
    });
    expect(there.bundle).toEqual(here.bundle);
    writeFileSync(join(there.dir, 'references', 'stale.md'), 'old');
    writeFileSync(join(there.dir, 'bin', 'stale.mjs'), 'old');
    const again = await buildSkill(join(copy, 'skill.ts'), { outDir: there.dir, mode: 'node', ...ALIASES });
    expect(again.files).toEqual(here.files);
    const onDisk = readdirSync(there.dir, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    expect(onDisk).toHaveLength(again.files.length);
  });

  it('leaves alone what it has not built', async () => {
    const outDir = join(work, 'occupied');
    mkdirSync(join(outDir, 'references'), { recursive: true });
    writeFileSync(join(outDir, 'references', 'mine.md'), 'mine');
    writeFileSync(join(outDir, 'package.json'), '{"private": true}');
    await build('tea-tasting', { outDir });
    expect(readFileSync(join(outDir, 'references', 'mine.md'), 'utf8')).toBe('mine');
    expect(JSON.parse(readFileSync(join(outDir, 'package.json'), 'utf8'))).toMatchObject({ private: true });
  });

  it('can build into the folder of the source, and follows links to references', async () => {
    const entry = source(
      'in-place',
      `${IMPORT}export default skill({ name: 'in-place', description: 'x', entry: 'a' })
      .step('a', { prompt: ({ refs }) => refs.load('linked.md'), next: terminal }).build();`,
    );
    const folder = dirname(entry);
    mkdirSync(join(folder, 'references'));
    writeFileSync(join(folder, 'text.md'), 'linked text');
    symlinkSync('../text.md', join(folder, 'references', 'linked.md'));
    const inPlace = await buildSkill(entry, { outDir: folder, mode: 'node' });
    expect(inPlace.files).toContain('references/linked.md');
    const { dir } = await buildSkill(entry, { outDir: join(work, 'out-of-place'), mode: 'node' });
    expect(
      execFileSync(join(dir, 'scripts/run'), ['start', '--params', '{}'], {
        env: BARE_ENV,
        encoding: 'utf8',
      }),
    ).toContain('linked text');
    expect(statSync(join(dir, 'scripts/run')).mode & 0o777).toBe(0o755);
  });

  it('takes the version of the package into everything that has one', async () => {
    const entry = source(
      'versioned',
      `${IMPORT}export default skill({ name: 'versioned', resolveVersion: true, description: 'x', entry: 'a' })${ONE_STEP}`,
    );
    writeFileSync(join(dirname(entry), 'package.json'), '{"version": "7.8.9"}');
    const { dir, definition } = await buildSkill(entry, { outDir: join(work, 'versioned'), mode: 'node' });
    expect(definition.version).toBe('7.8.9');
    for (const file of ['SKILL.md', 'package.json', 'skill.yaml', 'bin/versioned.mjs']) {
      expect(readFileSync(join(dir, file), 'utf8')).toContain('7.8.9');
    }
  });

  it('lets the author write the SKILL.md', async () => {
    const text = (skillMd: string) =>
      `${IMPORT}export default skill({ name: 'own', description: 'x', entry: 'a', skillMd: ${skillMd} })${ONE_STEP}`;
    const built = async (skillMd: string) => {
      const { dir } = await buildSkill(source('own', text(skillMd)), {
        outDir: join(work, 'own'),
        mode: 'node',
      });
      return readFileSync(join(dir, 'SKILL.md'), 'utf8');
    };
    expect(await built(`'# Mine'`)).toMatch(/^---\nname: own\n[^]*\n---\n\n# Mine\n$/);
    expect(await built(`'---\\nname: own\\n---\\nAll mine\\n'`)).toBe('---\nname: own\n---\nAll mine\n');
    expect(await built(`(generated) => generated + '## More'`)).toMatch(
      /## Steps in this skill\n\n- \*\*a\*\*: Do it\.\n## More\n$/,
    );
  });

  it('bundles only the validator that the skill uses', async () => {
    const entry = source(
      'bare',
      `${IMPORT}export default skill({ name: 'bare', description: 'x', entry: 'a' })${ONE_STEP}`,
    );
    const { dir } = await buildSkill(entry, { outDir: join(work, 'bare'), mode: 'node' });
    expect(readFileSync(join(dir, 'bin/bare.mjs'), 'utf8')).not.toContain('ArkErrors');
  });
});

describe('buildSkill refuses', () => {
  it.each<[string, string, RegExp]>([
    [
      'a file without a default export',
      `export const a = 1;`,
      /has no default export; write `export default skill/,
    ],
    [
      'a builder',
      `${IMPORT}export default skill({ name: 'b', description: 'x', entry: 'a' }).step('a', { next: terminal });`,
      /call \.build\(\)/,
    ],
    [
      'anything else',
      `export default { name: 'c' };`,
      /is no skill; make it with skill\(\) or reference\(\)/,
    ],
    [
      'an import of nothing',
      `import x from './nothing.ts'; export default x;`,
      /Could not resolve ".\/nothing.ts"/,
    ],
    [
      'an entry of the kit that there is not',
      `import x from '@skillyard/kit/nothing'; export default x;`,
      /has no entry "@skillyard\/kit\/nothing"/,
    ],
    ['a source that throws', `throw new Error('out of tea');`, /cannot be loaded: out of tea/],
    [
      'what the builder refuses',
      `${IMPORT}export default skill({ name: 'd', entry: 'zzz' }).step('a', { next: terminal }).build();`,
      /zzz/,
    ],
    [
      'what does not pass the check',
      `${IMPORT}export default skill({ name: 'e', description: 'x', entry: 'a' }).step('a', { prompt: 'Use TodoWrite', next: terminal }).build();`,
      /no-host-tool-names: .*TodoWrite/,
    ],
  ])('%s, and writes nothing', async (name, text, message) => {
    const outDir = join(work, 'refused');
    await expect(
      buildSkill(source(`refused ${name.length}`, text), { outDir, mode: 'node' }),
    ).rejects.toThrow(message);
    expect(existsSync(outDir)).toBe(false);
  });

  it.each<[string, (dir: string) => void, RegExp]>([
    [
      'a folder with a skill of somebody else',
      (dir) => {
        mkdirSync(dir);
        writeFileSync(join(dir, 'SKILL.md'), 'by hand');
      },
      /has a skill that was not built here/,
    ],
    ['a file in place of a folder', (dir) => writeFileSync(dir, 'a file'), /nothing can be built into/],
  ])('%s to build into', async (name, prepare, message) => {
    const outDir = join(work, `taken ${name.length}`);
    prepare(outDir);
    const entry = source(
      `taken-by ${name.length}`,
      `${IMPORT}export default skill({ name: 'f', description: 'x', entry: 'a' })${ONE_STEP}`,
    );
    await expect(buildSkill(entry, { outDir, mode: 'node' })).rejects.toThrow(message);
  });

  it('a file that is not there', async () => {
    await expect(loadDefinition(join(work, 'nope.ts'))).rejects.toThrow(/there is no file .*nope\.ts/);
  });

  it('a platform that bun does not build for', async () => {
    await expect(build('tea-tasting', { mode: 'bun', targets: ['plan9-mips'] })).rejects.toThrow(
      /plan9-mips/,
    );
  });
});
