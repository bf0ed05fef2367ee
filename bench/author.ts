import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadAgentSkills } from '@skillyard/catalog';
import { loadSkill } from '@skillyard/engine';
import { lintSkill } from '@skillyard/lint';
import { mixedSkill } from './flows.ts';
import { bestOf, type Report } from './table.ts';

const RUNS = 5;
const SKILLS = 1000;
const STEPS = 50;
const REPEATS = 100;

/** One measure of what an author waits for. */
interface Measure {
  readonly row: readonly string[];
  readonly summary: Readonly<Record<string, number>>;
}

/** What a person who writes skills waits for. */
export async function benchAuthor(): Promise<Report> {
  const measures = [await measureChecking(), await measureLoading()];
  return {
    title: 'What an author waits for',
    columns: ['work', 'of', 'ms'],
    rows: measures.map(({ row }) => row),
    summary: Object.assign({}, ...measures.map(({ summary }) => summary)) as Measure['summary'],
  };
}

/** Validating and linting a skill, as an editor does with each change. */
async function measureChecking(): Promise<Measure> {
  const text = mixedSkill(STEPS);
  const facts = { serverNames: ['srv'], allTools: { srv: ['get'] }, skillNames: [], builtinTools: [] };
  const ms = await bestOf(RUNS, () => {
    for (let time = 0; time < REPEATS; time++) {
      if (loadSkill(text).skill === null) throw new Error('the measured skill does not load');
      lintSkill(text, { facts });
    }
  });
  const each = ms / REPEATS;
  return {
    row: ['validate and lint', `${STEPS} steps`, each.toFixed(2)],
    summary: { checkMs: Math.round(each * 100) / 100 },
  };
}

/** Finding and reading folders with a `SKILL.md`. */
async function measureLoading(): Promise<Measure> {
  const folder = await mkdtemp(join(tmpdir(), 'skillyard-bench-'));
  try {
    for (let index = 0; index < SKILLS; index += 1) {
      await mkdir(join(folder, `skill-${index}`, 'references'), { recursive: true });
      await writeFile(join(folder, `skill-${index}`, 'SKILL.md'), agentSkillText(`skill-${index}`));
    }
    const config = { enable_default_skills: true, paths: [folder], strict: true };
    const ms = await bestOf(RUNS, async () => {
      const loaded = await loadAgentSkills(config, { cwd: folder, home: folder });
      const found = loaded.skills('').length;
      if (found !== SKILLS) throw new Error(`${found} of ${SKILLS} skills were found`);
    });
    return {
      row: ['load SKILL.md folders', `${SKILLS} skills`, ms.toFixed(0)],
      summary: { loadMs: Math.round(ms) },
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function agentSkillText(name: string): string {
  const fields = [
    `name: ${name}`,
    'description: >-',
    '  Reads a report and answers questions about it. Use it when a report is given',
    '  and something in it is asked for.',
    'license: Apache-2.0',
    'allowed-tools: Read Write Bash(git:*)',
    'metadata:',
    '  author: bench',
    '  version: "1.0"',
  ];
  const steps = Array.from({ length: 60 }, (_, index) => `${index + 1}. Do step ${index + 1} with care.`);
  return ['---', ...fields, '---', '', `# ${name}`, '', ...steps, ''].join('\n');
}
