import { readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import {
  activateSkill,
  activationTool,
  catalogText,
  loadAgentSkills,
  validateSkillFolder,
} from '@skillyard/catalog';
import { SkillyardError } from '@skillyard/contracts';
import type { CommandContext } from '../commands/context.ts';
import { isRecord } from '../is-record.ts';
import { displayPath } from '../skill/read-file.ts';
import type { AgentSkillsCase } from './agent-skills-case.ts';
import { loadCase, type LoadFile } from './agent-skills-load-case.ts';
import { differences } from './match.ts';
import type { CaseResult } from './run-case.ts';
import type { SuiteOptions } from './suite.ts';
import { readCaseJson } from './read-case-json.ts';

/**
 * The suite `agent-skills`: folders with an `expected.json` of what a loader finds in them, one of folders that a
 * validator judges, and calls of the activation tool.
 * @throws SkillyardError FILE_UNREADABLE or INPUT_INVALID
 */
export async function runAgentSkillsSuite(
  paths: readonly string[],
  _options: SuiteOptions,
  { surroundings }: CommandContext,
): Promise<readonly CaseResult[]> {
  const results: CaseResult[] = [];
  for (const path of paths) {
    for (const one of await readAgentSkillsCases(path, surroundings.cwd)) {
      results.push(await runAgentSkillsCase(one));
    }
  }
  return results;
}

/** Runs one case of the suite `agent-skills`. */
export async function runAgentSkillsCase(one: AgentSkillsCase): Promise<CaseResult> {
  const { id, op, title } = one;
  try {
    const actual = await one.run();
    return { id, op, title, differences: differences(one.expected, actual), problem: null };
  } catch (error) {
    const problem = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { id, op, title, differences: [], problem: `it ended in an exception: ${problem}` };
  }
}

/**
 * Reads the cases of a folder: one case, or several beside each other.
 * @throws SkillyardError FILE_UNREADABLE or INPUT_INVALID
 */
export async function readAgentSkillsCases(path: string, cwd: string): Promise<readonly AgentSkillsCase[]> {
  const start = resolve(cwd, path);
  const shown = displayPath(path, cwd);
  const details = { file: shown };
  const found = await stat(start).catch((cause: unknown) => {
    throw new SkillyardError('FILE_UNREADABLE', `there are no cases at ${shown}: check the path`, {
      details,
      cause,
    });
  });
  const files = found.isDirectory() ? await caseFiles(start) : [start];
  if (files.length === 0) {
    const message = `${shown} holds no expected.json and no activate-skill.json; name the folder of the cases`;
    throw new SkillyardError('INPUT_INVALID', message, { details });
  }
  return (await Promise.all(files.map((file) => readCaseFile(file, displayPath(file, cwd))))).flat();
}

/** In the folder itself, or in the folders right below it. */
async function caseFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const own = entries.filter((entry) => isCaseFile(entry.name)).map((entry) => join(folder, entry.name));
  const below = await Promise.all(
    entries
      .filter((entry) => entry.isDirectory())
      .map(async ({ name }) => {
        const inner = await readdir(join(folder, name));
        return inner.filter(isCaseFile).map((file) => join(folder, name, file));
      }),
  );
  return [...own, ...below.flat()].toSorted();
}

function isCaseFile(name: string): boolean {
  return name === 'expected.json' || name === 'activate-skill.json';
}

async function readCaseFile(file: string, shown: string): Promise<readonly AgentSkillsCase[]> {
  const details = { file: shown };
  const value = await readCaseJson(file, shown);
  if (isRecord(value)) {
    if (isActivationFile(value)) return activationCases(value);
    if (isValidationFile(value)) return validationCases(value, dirname(file));
    if (isLoadFile(value)) return [loadCase(value, dirname(file))];
  }
  const message = `${shown} is no file of cases; it must have one of: expected and config, cases, calls and skills`;
  throw new SkillyardError('INPUT_INVALID', message, { details });
}

function isLoadFile(value: unknown): value is LoadFile {
  if (!isRecord(value) || !isRecord(value['config']) || !isRecord(value['expected'])) return false;
  return value['expected']['error'] === true || areRecords(value['expected']['queries']);
}

function areRecords(value: unknown): boolean {
  return Array.isArray(value) && value.every(isRecord);
}

interface ActivationFile {
  readonly skills: Parameters<typeof activationTool>[0];
  readonly tool_name: string;
  readonly parameters: unknown;
  readonly calls: readonly { readonly input: string; readonly output?: string; readonly error?: string }[];
}

function isActivationFile(value: unknown): value is ActivationFile {
  return isRecord(value) && areRecords(value['calls']) && areRecords(value['skills']);
}

function activationCases({ skills, tool_name, parameters, calls }: ActivationFile): AgentSkillsCase[] {
  const tool: AgentSkillsCase = {
    id: 'activate-skill/tool',
    op: 'activate',
    title: 'the definition of the tool',
    expected: { name: tool_name, parameters, without: { error: true } },
    run: async () => {
      const { name, parameters: schema } = activationTool(skills);
      return { name, parameters: schema, without: withoutSkills() };
    },
  };
  const answers = calls.map(({ input, output, error }, index): AgentSkillsCase => {
    const expected = output === undefined ? { error } : { output: JSON.parse(output) as unknown };
    return {
      id: `activate-skill/${index}`,
      op: 'activate',
      title: input,
      expected,
      run: async () => {
        const activation = activateSkill(skills, input);
        // Escapes in a JSON text are a habit of who writes it.
        return 'output' in activation ? { output: JSON.parse(activation.output) as unknown } : activation;
      },
    };
  });
  return [tool, ...answers];
}

function withoutSkills(): unknown {
  try {
    return activationTool([]);
  } catch (error) {
    if (SkillyardError.is(error)) return { error: true };
    throw error;
  }
}

interface ValidationFile {
  readonly prompt_two: string;
  readonly cases: readonly {
    readonly id: string;
    readonly dir: string;
    readonly valid: boolean;
    readonly errors: readonly string[];
  }[];
}

function isValidationFile(value: unknown): value is ValidationFile {
  return isRecord(value) && areRecords(value['cases']) && typeof value['prompt_two'] === 'string';
}

function validationCases({ cases, prompt_two }: ValidationFile, folder: string): AgentSkillsCase[] {
  const verdicts = cases.map(({ id, dir, valid, errors }): AgentSkillsCase => ({
    id: `spec/${id}`,
    op: 'validate',
    title: errors[0] ?? 'valid',
    expected: { valid },
    run: async () => {
      const found = await validateSkillFolder(join(folder, dir), dir);
      return { valid: found.every(({ severity }) => severity !== 'error') };
    },
  }));
  const prompt: AgentSkillsCase = {
    id: 'spec/prompt',
    op: 'catalog',
    title: 'the catalog of two skills',
    expected: prompt_two,
    run: async () => {
      const dirs = [...prompt_two.matchAll(/<spec>\/(\S+)\/[^/\s]+\/SKILL\.md/g)].map(
        (match) => match[1] ?? '',
      );
      const skills = await Promise.all(
        dirs.map(async (dir) => {
          const config = { enable_default_skills: true, paths: [dir] };
          const loaded = await loadAgentSkills(config, { cwd: folder, home: folder });
          return loaded
            .skills('')
            .map((skill) => ({ ...skill, file: `SPEC:/${dir}${skill.location}/SKILL.md` }));
        }),
      );
      const text = catalogText(skills.flat(), { locationOf: ({ file }) => file });
      // What stands for a path in the case has brackets, which a real path would have escaped.
      return text.replaceAll('SPEC:', '<spec>');
    },
  };
  return [...verdicts, prompt];
}
