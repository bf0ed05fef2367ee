import { resolve } from 'node:path';
import {
  readSources,
  type ResolvedEntry,
  resolveTools,
  type SourceSkill,
  summarizeCapabilities,
} from '@skillyard/catalog';
import { type JsonObject, SkillyardError } from '@skillyard/contracts';
import type { CommandContext } from '../commands/context.ts';
import { isRecord } from '../is-record.ts';
import { displayPath } from '../skill/read-file.ts';
import { differences } from './match.ts';
import type { CaseResult } from './run-case.ts';
import type { SuiteOptions } from './suite.ts';
import { readCaseJson } from './read-case-json.ts';

/** One case: skills by lookup name, the skill that is resolved, and what must come out. */
interface ResolverCase {
  readonly name: string;
  readonly note?: string;
  readonly skills: Readonly<Record<string, JsonObject>>;
  readonly root_skill: JsonObject;
  readonly expected: unknown;
  readonly expected_summary?: unknown;
  readonly expected_missing_includes?: unknown;
}

/**
 * The suite `resolver`: what the tools of a skill and of its includes come to, in files `{cases: [...]}`.
 * @throws SkillyardError FILE_UNREADABLE or INPUT_INVALID
 */
export async function runResolverSuite(
  paths: readonly string[],
  _options: SuiteOptions,
  { surroundings }: CommandContext,
): Promise<readonly CaseResult[]> {
  const files = await Promise.all(paths.map((path) => readResolverCases(path, surroundings.cwd)));
  return files.flat().map(runResolverCase);
}

/**
 * Reads the cases of one file.
 * @throws SkillyardError FILE_UNREADABLE or INPUT_INVALID
 */
export async function readResolverCases(path: string, cwd: string): Promise<readonly ResolverCase[]> {
  const file = displayPath(path, cwd);
  const details = { file };
  const value = await readCaseJson(resolve(cwd, path), file);
  const cases = isRecord(value) ? value['cases'] : undefined;
  if (Array.isArray(cases) && cases.every(isResolverCase)) return cases;
  const message = `${file} is no file of cases; it must be {cases: [{name, skills, root_skill, expected}]}`;
  throw new SkillyardError('INPUT_INVALID', message, { details });
}

function isResolverCase(value: unknown): value is ResolverCase {
  if (!isRecord(value) || typeof value['name'] !== 'string') return false;
  return isRecord(value['skills']) && isRecord(value['root_skill']) && value['expected'] !== undefined;
}

/** Runs one case of the suite `resolver`. */
export function runResolverCase(one: ResolverCase): CaseResult {
  const { name: id, note, expected, expected_summary, expected_missing_includes } = one;
  const wanted = { expected, expected_summary, expected_missing_includes };
  const found = { id, op: 'resolve', title: note ?? id };
  try {
    return { ...found, differences: differences(wanted, actualOf(one)), problem: null };
  } catch (error) {
    const problem = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { ...found, differences: [], problem: `it ended in an exception: ${problem}` };
  }
}

function actualOf({ skills, root_skill }: ResolverCase): Record<string, unknown> {
  const root = sourceSkill(root_skill);
  const lookup = (name: string): SourceSkill | undefined => {
    const skill = Object.hasOwn(skills, name) ? skills[name] : undefined;
    return skill && sourceSkill(skill);
  };
  try {
    const { entries, missing } = resolveTools(root, lookup);
    const summary = summarizeCapabilities(root, entries);
    return {
      expected: { entries: entries.map(entryOf) },
      expected_missing_includes: missing,
      expected_summary: {
        total_tools: summary.totalTools,
        read_only_count: summary.readOnlyCount,
        write_count: summary.writeCount,
        checkpointable_count: summary.checkpointableCount,
        has_side_effects: summary.hasSideEffects,
        mcp_source_count: summary.mcpSourceCount,
        agent_skill_count: summary.agentSkillCount,
      },
    };
  } catch (error) {
    if (!SkillyardError.is(error, 'INCLUDE_CYCLE')) throw error;
    // The document describes a Python class, whose error for a wrong value this is.
    return { expected: { error: { type: 'ValueError', message: error.message } } };
  }
}

/** Cases say `mcp_servers` for what skill files call `mcp_sources`. */
function sourceSkill({ mcp_servers, name, ...rest }: JsonObject): SourceSkill {
  return readSources(typeof name === 'string' ? name : '', { ...rest, mcp_sources: mcp_servers ?? null });
}

function entryOf({ name, sourceSkill: source_skill, origin, overrides }: ResolvedEntry): unknown {
  const isInline = origin.kind === 'inline';
  return { name, source_skill, is_inline: isInline, inline_tool: isInline ? origin.tool : null, overrides };
}
