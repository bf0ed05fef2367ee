import type { Config, Position } from '@skillyard/contracts';
import { boundsRadius, compileProgram, type Mode, modeOf, modesOf, type Skill } from '@skillyard/engine';

/** Which description of a skill runs. */
export interface ModeReport {
  readonly mode: Mode;
  /** Where the skill decides it: `mode`, else the description itself. */
  readonly position: Position | undefined;
  /** In words; empty where there is nothing to say, because a workflow is all there is. */
  readonly summary: string;
}

/** How a sound skill will run under a configuration. */
export function reportMode(skill: Skill, config: Config): ModeReport {
  const mode = modeOf(skill);
  const position = skill.keys.get('mode') ?? skill.keys.get(mode);
  const other = modesOf(skill).find((one) => one !== mode);
  const beside =
    other === undefined ? '' : `; the ${other} beside it does not (run --mode both compares them)`;
  if (mode === 'workflow') {
    return { mode, position, summary: other === undefined ? '' : `the workflow runs${beside}` };
  }
  const { tools: listed, sources } = compileProgram(skill, mode);
  const all = listed ?? [];
  // Every playbook may take up agent skills, and without any there is no tool for it.
  const tools = all.filter((tool) => tool !== 'builtin:activate_skill' || config.agent_skills !== undefined);
  // What the sources come to is known when a turn starts.
  const given = sources !== null && boundsRadius(sources.header);
  const named = sources?.alone === true ? [...tools, 'what its sources give'] : tools;
  const bound = given && !sources.alone ? ', as far as its sources give it' : '';
  const has = mode === 'code' ? 'have' : 'has';
  const reach = named.length === 0 ? `${has} no tools` : `may call ${named.join(', ')}${bound}`;
  const runs = mode === 'code' ? 'the code runs, whose models' : 'the playbook runs, as one model that';
  return { mode, position, summary: `${runs} ${reach}${beside}` };
}
