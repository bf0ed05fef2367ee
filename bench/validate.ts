import { compileProgram, loadSkill } from '@skillyard/engine';
import { mixedSkill } from './flows.ts';
import { bestOf, type Report } from './table.ts';

const RUNS = 5;
const REPEATS = 200;

/** Reading, validating and compiling a skill. */
export async function benchValidate(): Promise<Report> {
  const rows: string[][] = [];
  const summary: Record<string, number> = {};
  for (const steps of [5, 50, 500]) {
    const text = mixedSkill(steps);
    const repeats = Math.max(5, Math.round((REPEATS * 50) / steps / 10));
    const loadMs = (await bestOf(RUNS, () => repeat(repeats, () => loadSkill(text)))) / repeats;
    const loaded = loadSkill(text);
    if (loaded.skill === null) throw new Error('the measured skill does not load');
    const { skill } = loaded;
    const compileMs = (await bestOf(RUNS, () => repeat(repeats, () => compileProgram(skill)))) / repeats;
    rows.push([
      `${steps} steps`,
      `${(text.length / 1024).toFixed(1)} KiB`,
      loadMs.toFixed(3),
      compileMs.toFixed(3),
    ]);
    if (steps === 50) Object.assign(summary, { validateMs: round(loadMs), compileMs: round(compileMs) });
  }
  return {
    title: 'Reading and validating a skill',
    columns: ['skill', 'size', 'validate ms', 'compile ms'],
    rows,
    summary,
  };
}

function repeat(times: number, work: () => void): void {
  for (let time = 0; time < times; time++) work();
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
