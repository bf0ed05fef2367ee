import type { Diagnostic } from '@skillyard/contracts';
import type { Skill, Workflow } from './ast.ts';
import { buildSkill, buildWorkflow } from './build-skill.ts';
import { checkHeader, hasSteps } from './check-header.ts';
import { checkLoops } from './check-loops.ts';
import { checkWorkflow } from './check-workflow.ts';
import { Lines } from './lines.ts';
import { ROOT } from './place.ts';
import { readYaml } from './read-yaml.ts';
import { Report } from './report.ts';
import { RAW_SKILL } from './shapes.ts';
import { isBeforeAdditions } from './version.ts';

/** Options of reading a skill file. */
export interface LoadOptions {
  /** The name of the file, for messages. */
  readonly file?: string;
}

/** What reading a skill file came to. */
export type LoadResult =
  | { readonly skill: Skill; readonly diagnostics: readonly [] }
  | {
      readonly skill: null;
      /** `parse`: not YAML, or not the shape of the format. `validate`: the format does not allow what it says. */
      readonly stage: 'parse' | 'validate';
      /** At least one, the first being the one that comes first in the order of spec section 14. */
      readonly diagnostics: readonly Diagnostic[];
    };

/**
 * Reads and checks a skill file (spec sections 1, 2, 14 and 17). Never throws: whatever is wrong is in the diagnostics.
 * @param text the whole file
 */
export function loadSkill(text: string, options: LoadOptions = {}): LoadResult {
  const inspection = inspectSkill(text, options);
  if (!inspection.parsed) return { skill: null, stage: 'parse', diagnostics: inspection.diagnostics };
  const diagnostics = [...inspection.header, ...inspection.flow];
  if (diagnostics.length > 0) return { skill: null, stage: 'validate', diagnostics };
  return { skill: inspection.skill, diagnostics: [] };
}

/** What can be said about a skill file even if it does not load. */
export type Inspection =
  | { readonly parsed: false; readonly diagnostics: readonly Diagnostic[] }
  | {
      readonly parsed: true;
      /** Problems of the version, the name, the description and the mode. */
      readonly header: readonly Diagnostic[];
      /** Problems of the workflow. */
      readonly flow: readonly Diagnostic[];
      /** The skill as far as it goes: its workflow is null when that has problems. */
      readonly skill: Skill;
    };

/** Reads a skill file for those who report on it, such as the linter. */
export function inspectSkill(text: string, options: LoadOptions = {}): Inspection {
  const source = normalized(text);
  const parsing = new Report(new Lines(source), options.file);
  const root = readYaml(source, parsing);
  if (root === undefined) return { parsed: false, diagnostics: parsing.diagnostics };

  const version = root.entries.get('skill_engine_version')?.value;
  const older = version?.kind === 'text' && isBeforeAdditions(version.text);
  const raw = RAW_SKILL.read(root, ROOT, { report: parsing, older });
  if (parsing.diagnostics.length > 0) return { parsed: false, diagnostics: parsing.diagnostics };

  const header = parsing.fresh();
  checkHeader(raw, header);
  const flow = parsing.fresh();
  const positionAt = (offset: number) => parsing.positionAt(offset);
  let workflow: Workflow | null = null;
  if (raw.workflow && hasSteps(raw)) {
    const steps = checkWorkflow(raw.workflow, flow);
    if (flow.diagnostics.length === 0) {
      workflow = buildWorkflow(raw.workflow, steps, positionAt);
      checkLoops(workflow, flow);
    }
  }
  const skill = buildSkill(raw, workflow, positionAt);
  return { parsed: true, header: header.diagnostics, flow: flow.diagnostics, skill };
}

/** Without the mark some editors put first, and with one kind of line end; lines and columns stay what they are. */
function normalized(text: string): string {
  return (text.startsWith('\uFEFF') ? text.slice(1) : text).replaceAll('\r\n', '\n');
}
