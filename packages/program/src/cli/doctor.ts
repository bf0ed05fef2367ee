import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { shellQuoted } from '../adapters/adapter-text.ts';
import { adapterSource, markerAt } from '../adapters/adapters.ts';
import { type Agent, chooseAgents } from '../adapters/agents.ts';
import { repositoryRoot } from '../adapters/repository.ts';
import { examineWorkflow } from '../doctor/workflow-problems.ts';
import { ProgramError } from '../program-error.ts';
import { oneFolder } from './one-folder.ts';
import { rootFlag } from './register.ts';
import { testAndTell } from './test.ts';
import type { Verb } from './verb.ts';

/** What checks the sources of a language, as far as its tools can; started in the folder of the skill. */
const VALIDATORS: Readonly<Record<string, string>> = {
  python: 'python -m compileall -q .',
  go: 'go vet ./...',
  rust: 'cargo check',
};

export const doctorVerb: Verb = {
  name: 'doctor',
  usage: '<skill folder> [--agent <a,b>|auto] [--root <folder>] [--test]',
  summary: 'say what keeps a skill from being run, or its agents from finding it',
  flags: { agent: 'text', root: 'text', test: 'switch' },
  async run(call) {
    const { flags, io } = call;
    const folder = realpathSync(oneFolder('doctor', call));
    const workflow = await examineWorkflow(folder, io.env);
    const validator = workflow.hasSource ? `skillyard program build .` : VALIDATORS[workflow.language];
    if (validator !== undefined) io.stdout(`validate: (cd ${shellQuoted(folder)} && ${validator})\n`);
    for (const note of workflow.notes) io.stdout(`note: ${note}\n`);
    const problems = [...workflow.problems];
    if (flags.on('test')) {
      await testAndTell(folder, call).catch((error: unknown) => {
        if (!ProgramError.is(error)) throw error;
        // What was found already keeps the test from being run.
        if (!problems.includes(error.advice)) problems.push(`test: ${error.advice}`);
      });
    }
    if (problems.length === 0) io.stdout(`ok: ${'workflow'.padEnd(22)} ${folder}\n`);

    const given = flags.text('agent');
    const agents: Agent[] = [];
    if (given !== undefined) {
      const root = repositoryRoot(folder, rootFlag(flags.text('root'), io.cwd));
      agents.push(...chooseAgents(given, root, io.env));
      for (const agent of agents) {
        const path = join(root, agent.folder, workflow.name, 'SKILL.md');
        const problem = await adapterProblem(path, folder, root);
        if (problem === null) io.stdout(`ok: ${agent.id.padEnd(22)} ${path}\n`);
        else problems.push(`${agent.id}: ${problem}`);
      }
    }
    if (problems.length > 0) throw new ProgramError('SKILL_INVALID', problemText(problems));
    const ready = agents.length === 0 ? 'workflow is ready' : `is ready for ${agents.length} agent(s)`;
    io.stdout(`doctor: ${workflow.name} ${ready}\n`);
    return 0;
  },
};

/** @returns what is wrong with the adapter of a skill; null: it is there, and as `register` would write it */
async function adapterProblem(path: string, folder: string, root: string): Promise<string | null> {
  if (!existsSync(path)) return `adapter missing at ${path}`;
  const marker = markerAt(path);
  if (marker === null) return `${path} is no generated adapter`;
  try {
    const { source, digest, version } = await adapterSource(folder, root);
    const isCurrent = marker.source === source && marker.digest === digest && marker.version === version;
    return isCurrent ? null : 'adapter is stale or points elsewhere';
  } catch (error) {
    if (ProgramError.is(error)) return error.message;
    throw error;
  }
}

function problemText(problems: readonly string[]): string {
  const lines = problems.map((problem) => `  - ${problem.replaceAll('\n', '\n    ')}\n`);
  return `doctor found problems:\n${lines.join('')}run skillyard program register to update generated adapters after fixing version errors`;
}
