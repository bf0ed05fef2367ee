import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runKit } from '../src/build/index.ts';

const KIT_DATA = fileURLToPath(new URL('../../../conformance/kit/', import.meta.url));
const ALIAS = ['--alias', '@contentful/skill-kit'];

let work: string;
beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), 'kit-command-'));
});
afterAll(() => {
  rmSync(work, { recursive: true });
});

interface Called {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function kit(argv: readonly string[], input: AsyncIterable<string> = nothing()): Promise<Called> {
  let stdout = '';
  let stderr = '';
  const exitCode = await runKit(argv, {
    cwd: KIT_DATA,
    env: {},
    input,
    stdout: (text) => (stdout += text),
    stderr: (text) => (stderr += text),
  });
  return { exitCode, stdout, stderr };
}

async function* nothing(): AsyncGenerator<string> {
  // No line is typed.
}

function recorded<T>(file: string): T {
  return JSON.parse(readFileSync(join(KIT_DATA, file), 'utf8')) as T;
}

/** Puts the alias where the kit looks for it: before what belongs to the skill. */
function withAlias([command = '', ...rest]: readonly string[]): string[] {
  return rest.length === 0 ? [command].filter(Boolean) : [command, ...ALIAS, ...rest];
}

describe('skillyard-kit', () => {
  const CALLS = recorded<
    Array<{
      argv: string[];
      comment: string;
      exit_code: number;
      stderr: { prefix: string | null; mentions: string[] } | null;
    }>
  >('dev-cli.json');
  /** What the recorded kit cannot do from the source: topics and references. */
  const MENDED = new Set([
    'reference refs path in dev run',
    'composite commands are not available in dev run',
    'composite redirect leaks in dev run',
  ]);

  it.each(CALLS.filter(({ comment }) => !MENDED.has(comment)))(
    'answers as recorded: $comment',
    async ({ argv, exit_code: exitCode, stderr }) => {
      const called = await kit(withAlias(argv));
      expect(called.exitCode).toBe(exitCode);
      for (const mention of stderr?.mentions ?? []) expect(called.stderr).toContain(mention);
      expect(called.stderr.startsWith(stderr?.prefix ?? '')).toBe(true);
      if (stderr !== null) expect(called.stdout).toBe('');
    },
  );

  it('runs topics, redirects and references from the source', async () => {
    const run = (skill: string, ...args: string[]) =>
      kit(['run', ...ALIAS, `skills/${skill}/skill.ts`, ...args]);
    expect(await run('harbour-desk', 'topics')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('tides: Tide tables'),
    });
    expect(await run('knots-reference', 'topic', 'bowline')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('loop'),
    });
    const answer = [
      'advance',
      '--step',
      'greet',
      '--output',
      '{"intent":"fees","sure":true}',
      '--params',
      '{"caller":"x"}',
    ];
    expect(JSON.parse((await run('harbour-desk', ...answer)).stdout)).toMatchObject({
      kind: 'done',
      finalOutput: { topic: 'fees' },
    });
  });

  it.each([
    [['build', 'skills/tea-tasting/skill.ts', '-o', 'x', '--fast'], /^error: .*--fast/],
    [['build', 'a.ts', 'b.ts', '-o', 'x'], /^error: "b\.ts" is too much/],
    [['dev', ...ALIAS, 'skills/tea-tasting/skill.ts', '--params', '{'], /^error: --params is no JSON/],
    [['dev', ...ALIAS, 'skills/knots-reference/skill.ts'], /^error: "knots-reference" is a reference skill/],
  ])('refuses %j', async (argv, stderr) => {
    expect(await kit(argv)).toEqual({ exitCode: 1, stdout: '', stderr: expect.stringMatching(stderr) });
  });
});

describe('skillyard-kit check', () => {
  interface RecordedCheck {
    skill: string;
    exit_code: number;
    stderr_lines: Array<
      { mark: string; rule: string; location: string | null; quoted: string[] } | { summary: string }
    >;
  }
  const CHECKS = recorded<RecordedCheck[]>('check-diagnostics.json');
  /** Recorded with everyday words and code taken for names of tools. */
  const MENDED = new Set(['lint-bad', 'expedition-kit']);

  it.each(CHECKS.filter(({ skill }) => !MENDED.has(skill)))(
    'says of $skill what was recorded',
    async (check) => {
      const { exitCode, stderr } = await kit(['check', ...ALIAS, `skills/${check.skill}/skill.ts`]);
      expect(exitCode).toBe(check.exit_code);
      const lines = stderr.trimEnd().split('\n');
      expect(lines).toHaveLength(check.stderr_lines.length);
      for (const [index, line] of check.stderr_lines.entries()) {
        const said = lines[index] ?? '';
        if ('summary' in line) expect(said.startsWith(line.summary)).toBe(true);
        else {
          const place = line.location === null ? '' : ` [${line.location}]`;
          expect(said.startsWith(`${line.mark} ${line.rule}${place}: `)).toBe(true);
          expect([...said.matchAll(/"([^"]+)"/g)].map((match) => match[1])).toEqual(line.quoted);
        }
      }
    },
  );

  it('finds in a bad skill every rule that was recorded', async () => {
    const { exitCode, stderr } = await kit(['check', ...ALIAS, 'skills/lint-bad/skill.ts']);
    expect(exitCode).toBe(1);
    const rules = CHECKS.find(({ skill }) => skill === 'lint-bad')?.stderr_lines.flatMap((line) =>
      'rule' in line ? [line.rule] : [],
    );
    for (const rule of new Set(rules)) expect(stderr).toContain(` ${rule}`);
  });
});

describe('skillyard-kit dev', () => {
  const SOURCE = (prompt: string, extra = '') => `import { skill, terminal, type } from '@skillyard/kit';
    export default skill({ name: 'dev', entry: 'a' })
      .step('a', { prompt: 'First.', response: type({ n: 'number' }), next: 'b' })
      .step('b', { prompt: ({ store }) => '${prompt} ' + store.steps.a.n, ${extra} next: terminal }).build();`;

  /** A developer who types the next line when what was printed has it coming. */
  class Developer {
    printed = '';
    readonly #waiting = new Set<() => void>();

    said(text: string): void {
      this.printed += text;
      for (const check of this.#waiting) check();
    }

    sees(text: string): Promise<void> {
      return new Promise((resolve) => {
        const check = (): void => {
          if (!this.printed.includes(text)) return;
          this.#waiting.delete(check);
          resolve();
        };
        this.#waiting.add(check);
        check();
      });
    }

    dev(entry: string, input: AsyncIterable<string>): Promise<number> {
      return runKit(['dev', entry], {
        cwd: work,
        env: {},
        input,
        stdout: (text) => this.said(text),
        stderr: (text) => this.said(text),
      });
    }
  }

  it('takes answers, tells what is wrong with them, and begins again', async () => {
    const entry = join(work, 'dev.ts');
    writeFileSync(entry, SOURCE('Second'));
    const developer = new Developer();
    async function* types(): AsyncGenerator<string> {
      await developer.sees('First.');
      yield 'nonsense\n{"n":\n';
      await developer.sees('error: this is no JSON');
      yield '"one"}\n';
      await developer.sees('refused: n: n must be a number');
      yield '{"n": 1}\n';
      await developer.sees('Second 1');
      yield '{}\n';
      await developer.sees('done: ');
      yield '{}\n.history\n';
      await developer.sees('The run is over');
      await developer.sees('"step": "a"');
      yield '.restart\n.quit\n';
    }
    expect(await developer.dev(entry, types())).toBe(0);
    expect(developer.printed.split('== a').length).toBe(3);
  });

  it('takes up what was answered when the source changes, and stays when it is broken', async () => {
    const entry = join(work, 'watched.ts');
    writeFileSync(entry, SOURCE('Second'));
    const developer = new Developer();
    async function* types(): AsyncGenerator<string> {
      await developer.sees('First.');
      yield '{"n": 7}\n';
      await developer.sees('Second 7');
      writeFileSync(entry, 'this is not a program');
      await developer.sees('error: the sources cannot be bundled');
      writeFileSync(entry, SOURCE('Changed'));
      await developer.sees('Changed 7');
      yield '{}\n';
      await developer.sees('done: ');
    }
    expect(await developer.dev(entry, types())).toBe(0);
    expect(developer.printed).toContain('The sources have changed');
  });
});

describe('skillyard-kit build --mode bun', () => {
  /** bun itself is not here: this one writes the program it is given, as a script. */
  const BUN = `#!/bin/sh
if [ "$1" = --version ]; then echo 1.3.0; exit 0; fi
case "$3" in *darwin*) echo "no such target" >&2; exit 1 ;; esac
printf '#!/bin/sh\\nexec node "%s" "$@"\\n' "$6.mjs" > "$6"; cp "$4" "$6.mjs"; chmod +x "$6"
`;

  it('says what bun could not build, and dispatches to what it could', () => {
    const bin = join(work, 'bun-path');
    mkdirSync(bin);
    writeFileSync(join(bin, 'bun'), BUN);
    chmodSync(join(bin, 'bun'), 0o755);
    const out = join(work, 'bun-out');
    const command = join(dirname(KIT_DATA), '..', 'packages', 'kit', 'dist', 'bin.js');
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH ?? ''}` };
    const built = spawnSync(
      process.execPath,
      [
        command,
        'build',
        ...ALIAS,
        join(KIT_DATA, 'skills/knots-reference/skill.ts'),
        '-o',
        out,
        '--targets',
        `darwin-arm64, ${process.platform}-${process.arch}`,
      ],
      { env, encoding: 'utf8' },
    );
    expect(built).toMatchObject({
      status: 0,
      stderr: 'warning: nothing is built for darwin-arm64: no such target\n',
    });
    const ran = spawnSync(join(out, 'scripts/run'), ['topic', 'bowline'], { env, encoding: 'utf8' });
    expect(ran).toMatchObject({ status: 0, stdout: expect.stringContaining('loop') });
  });
});
