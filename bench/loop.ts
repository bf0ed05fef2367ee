import type { StepJob, StepResult } from '@skillyard/contracts';
import { runTurn } from '@skillyard/runtime';
import { programOf } from './flows.ts';
import { bestOf, type Report, whole } from './table.ts';

/** Lengths of the loops that are compared; the first is what the others are measured against. */
export const SIZES = [100, 1000, 10_000] as const;
const ITERATIONS = 40_000;
const RUNS = 5;

/** What one iteration costs in short and in long loops, walked in order and fanned out. */
export async function benchLoop(): Promise<Report> {
  const rows: string[][] = [];
  const ratios: Record<string, number> = {};
  for (const manner of ['in order', 'fanned out'] as const) {
    const costs: number[] = [];
    for (const size of SIZES) {
      const us = await costPerIteration(size, manner === 'fanned out' ? 'auto' : 'off');
      costs.push(us);
      rows.push([manner, whole(size), us.toFixed(2), (us / (costs[0] ?? us)).toFixed(2)]);
    }
    ratios[manner] = (costs.at(-1) ?? 0) / (costs[0] ?? 1);
  }
  return {
    title: 'Per-iteration cost of a loop (a call and a set per iteration)',
    columns: ['manner', 'items', 'us/iteration', 'against 100'],
    rows,
    summary: {
      perIterationRatio: round(Math.max(...Object.values(ratios))),
      inOrderRatio: round(ratios['in order'] ?? 0),
    },
  };
}

async function costPerIteration(size: number, fanOut: 'auto' | 'off'): Promise<number> {
  const program = programOf(loopOf(size));
  const rows = rowsOf(size);
  const turns = Math.max(1, Math.round(ITERATIONS / size));
  const ms = await bestOf(RUNS, async () => {
    for (let turn = 0; turn < turns; turn++) {
      const report = await runTurn({
        program,
        turnId: `b${turn}`,
        vars: { rows },
        settings: { fanOut },
        execute,
      });
      if (report.outcome.status !== 'completed') throw new Error(JSON.stringify(report.outcome.error));
    }
  });
  return (ms * 1000) / (turns * size);
}

/** A loop over `rows` with a call and a set per iteration, as a workflow. */
export function loopOf(size: number): string {
  return `tools: [srv]
steps:
  - name: each
    for_each:
      in: rows
      as: row
      collect: lines
      max_iterations: ${size}
      on_error: continue
      steps:
        - {call: {tool: "srv:get", args: {row: "{{row.id}}"}, save_as: got}}
        - {set: {var: lines, value: "{{row.id}}: {{got}}"}}`;
}

/** The value of `rows`. */
export function rowsOf(size: number): string {
  return JSON.stringify(Array.from({ length: size }, (_, id) => ({ id, name: `row ${id}` })));
}

function execute(job: StepJob): StepResult {
  return { jobId: job.id, status: 'ok', text: 'ok' };
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
