import type { StepJob, StepResult } from '@skillyard/contracts';
import type { Program } from '@skillyard/engine';
import { runTurn } from '@skillyard/runtime';
import { flat, NESTED, programOf } from './flows.ts';
import { bestOf, type Report, whole } from './table.ts';

const STEPS = 2000;
const TURNS = 50;
const RUNS = 5;

/** Steps per second of the machine and the local driver, with executors that do nothing. */
export async function benchLocal(): Promise<Report> {
  const flows: [string, Program][] = [
    [
      'flat: instruction',
      programOf(flat(STEPS, (i) => `{instruction: "Step ${i} of {{input}}", save_as: v${i % 20}}`)),
    ],
    [
      'flat: call',
      programOf(
        flat(
          STEPS,
          (i) => `{call: {tool: "srv:get", args: {q: "{{input}}"}, save_as: v${i % 20}}}`,
          'tools: [srv]\n',
        ),
      ),
    ],
    ['flat: set', programOf(flat(STEPS, (i) => `{set: {var: v${i % 20}, value: "{{input}} ${i}"}}`))],
    ['nested', programOf(NESTED)],
  ];
  const rows: string[][] = [];
  const rates: Record<string, number> = {};
  for (const [name, program] of flows) {
    const isNested = name === 'nested';
    const turns = isNested ? TURNS * 100 : TURNS;
    let steps = 0;
    const ms = await bestOf(RUNS, async () => {
      steps = 0;
      for (let turn = 0; turn < turns; turn++) steps += await stepsOf(program, turn);
    });
    rates[name] = steps / (ms / 1000);
    rows.push([name, whole(steps), ms.toFixed(0), whole(rates[name]), ((ms * 1000) / steps).toFixed(2)]);
  }
  const flatRates = Object.entries(rates).flatMap(([name, rate]) => (name.startsWith('flat') ? [rate] : []));
  return {
    title: 'Local driver, no-op executors (best of 5 runs)',
    columns: ['flow', 'steps', 'ms', 'steps/s', 'us/step'],
    rows,
    summary: {
      stepsPerSecond: Math.round(Math.min(...flatRates)),
      nestedStepsPerSecond: Math.round(rates.nested ?? 0),
    },
  };
}

async function stepsOf(program: Program, turn: number): Promise<number> {
  const report = await runTurn({ program, turnId: `bench-${turn}`, vars: { input: 'x' }, execute });
  if (report.outcome.status !== 'completed') throw new Error(JSON.stringify(report.outcome.error));
  return report.steps.length + report.notices.length;
}

function execute(job: StepJob): StepResult {
  return { jobId: job.id, status: 'ok', text: 'ok' };
}
