import type { Position } from '@skillyard/contracts';
import { compileProgram, type Mode, modeOf, modesOf, type Skill } from '@skillyard/engine';

/** Which description of a skill runs. */
export interface ModeReport {
  readonly mode: Mode;
  /** Where the skill decides it: `mode`, else the description itself. */
  readonly position: Position | undefined;
  /** In words; empty where there is nothing to say, because a workflow is all there is. */
  readonly summary: string;
}

/** How a sound skill will run. */
export function reportMode(skill: Skill): ModeReport {
  const mode = modeOf(skill);
  const position = skill.keys.get('mode') ?? skill.keys.get(mode);
  const other = modesOf(skill).find((one) => one !== mode);
  const beside =
    other === undefined ? '' : `; the ${other} beside it does not (run --mode both compares them)`;
  if (mode === 'workflow') {
    return { mode, position, summary: other === undefined ? '' : `the workflow runs${beside}` };
  }
  const tools = compileProgram(skill, mode).tools ?? [];
  const reach = tools.length === 0 ? 'has no tools' : `may call ${tools.join(', ')}`;
  return { mode, position, summary: `the playbook runs, as one model that ${reach}${beside}` };
}
