import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type JournalEntry,
  journalText,
  launchProgram,
  newRunId,
  readManifest,
  readOutput,
  skillDigest,
  startRun,
} from '@skillyard/program/supervisor';
import { bestOf, type Report } from './table.ts';

const FOLDER = fileURLToPath(new URL('../node_modules/.cache/bench-program/loop', import.meta.url));
const ANSWERS = [0, 100, 1_000, 5_000];
const COMMANDS = 40;
const RUNS = 5;

/** As many commands as are wanted, then the end. */
const PROGRAM = `
import { main } from '@skillyard/program';
main((ctx) => {
  const { stdout } = ctx.runCommand('first', 'true');
  for (let at = 1; at < ${ANSWERS.at(-1)} && at !== Number(process.env.COMMANDS); at++) ctx.runCommand('step-' + at, 'true');
  return stdout;
});
`;

/** What a decision of a program costs by the answers it is run again with, and what a supervised command costs. */
export async function benchProgram(): Promise<Report> {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, 'main.mjs'), PROGRAM);
  const manifest = { version: 1, yield_version: '0.2.0', language: 'javascript', run: ['node', 'main.mjs'] };
  writeFileSync(join(FOLDER, 'skill.json'), JSON.stringify(manifest));
  const bare = await bestOf(RUNS, () => void spawnSync(process.execPath, ['-e', '']));
  const rows = [['node, nothing to do', '', bare.toFixed(1), '1.00']];
  const summary: Record<string, number> = { nodeMs: round(bare) };
  for (const answers of ANSWERS) {
    const ms = await bestOf(RUNS, () => decide(answers));
    rows.push([`a decision`, String(answers), ms.toFixed(1), (ms / bare).toFixed(2)]);
    summary[`decision${answers}Ms`] = round(ms);
  }
  const supervised = (await bestOf(2, () => supervise(COMMANDS))) / COMMANDS;
  rows.push(['a supervised command', '', supervised.toFixed(1), (supervised / bare).toFixed(2)]);
  summary['commandMs'] = round(supervised);
  rmSync(FOLDER, { recursive: true });
  return {
    title: 'Programs run again: milliseconds, the best of several',
    columns: ['what', 'answers', 'ms', 'against node'],
    rows,
    summary,
  };
}

async function decide(answers: number): Promise<void> {
  const skill = { name: 'loop', digest: await skillDigest(FOLDER) };
  const manifest = await readManifest(FOLDER);
  const journal = journalText({ runId: newRunId(), skill, entries: entriesOf(answers), input: null });
  const output = readOutput(
    await launchProgram({ folder: FOLDER, manifest, journal, env: process.env, onStderr: refuse }),
  );
  const isDone = answers === ANSWERS.at(-1);
  if (output.type !== (isDone ? 'terminal' : 'request')) throw new Error(`it came to "${output.type}"`);
}

function entriesOf(count: number): JournalEntry[] {
  return Array.from({ length: count }, (_, at) => {
    const requestId = at === 0 ? 'first' : `step-${at}`;
    const request = JSON.stringify({ id: requestId, kind: 'run_command', payload: { command: 'true' } });
    return { requestId, request, result: '{"exit_code":0,"stdout":"","stderr":""}' };
  });
}

async function supervise(commands: number): Promise<void> {
  const env = { ...process.env, COMMANDS: String(commands) };
  const progress = await startRun({ folder: FOLDER, env, onStderr: refuse }, null);
  if (progress.kind !== 'ended' || progress.status !== 'completed') throw new Error('it did not complete');
}

function refuse(text: string): void {
  throw new Error(text);
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
