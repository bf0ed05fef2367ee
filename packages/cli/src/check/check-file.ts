import { dirname } from 'node:path';
import type { StoredSkill } from '@skillyard/catalog';
import { type Diagnostic, SkillyardError } from '@skillyard/contracts';
import type { Skill } from '@skillyard/engine';
import { type Preflight, preflight } from '@skillyard/lint';
import { createSkillFinder, preflightInput, withResolvedServers } from '@skillyard/runtime';
import type { ConfigsBeside } from '../commands/configs-beside.ts';
import type { Installations } from '../lint/installation.ts';
import { type FileReport, lintFile } from '../lint/lint-files.ts';
import { type LoopReport, reportLoops } from '../skill/loop-report.ts';
import { loadSkillFile } from '../skill/read-skill.ts';
import type { Surroundings } from '../surroundings.ts';
import { brokenGates, type Gates } from './gates.ts';

/** Everything that can be said of one file before it runs. */
export interface CheckReport {
  readonly file: string;
  /** Why it is refused; then there is nothing else to say. */
  readonly diagnostics: readonly Diagnostic[];
  readonly lint: FileReport;
  readonly loops: readonly LoopReport[];
  readonly preflight: Preflight | null;
  /** Gates that it does not pass, as sentences. */
  readonly broken: readonly string[];
}

/** Checks one file: validation, lint, and what it may do. */
export async function checkFile(
  file: string,
  gates: Gates,
  surroundings: Surroundings,
  known: { readonly configs: ConfigsBeside; readonly installations: Installations },
): Promise<CheckReport> {
  const lint = await lintFile(file, surroundings, known);
  const nothing = { file, lint, diagnostics: [], loops: [], preflight: null, broken: [] };
  try {
    const source = await loadSkillFile(file, surroundings.cwd);
    if ('diagnostics' in source) return { ...nothing, diagnostics: source.diagnostics };
    const { config } = await known.configs.beside(dirname(source.path));
    const finder = createSkillFinder([...(config.skills ?? []), dirname(source.path)]);
    const read = (name: string): Promise<StoredSkill> => finder.read(name);
    const look = async (one: Skill): Promise<Preflight> =>
      preflight(await withResolvedServers(one, read), preflightInput(config));
    const skill = await withResolvedServers(source.skill, read);
    const report = preflight(skill, preflightInput(config));
    const loops = report.mode === 'workflow' ? reportLoops(skill, config) : [];
    const broken = await brokenGates(report, gates, { read, look });
    return { ...nothing, loops, preflight: report, broken };
  } catch (error) {
    if (!SkillyardError.is(error)) throw error;
    const { code, message } = error;
    return { ...nothing, diagnostics: [{ code, severity: 'error', message, file }] };
  }
}
