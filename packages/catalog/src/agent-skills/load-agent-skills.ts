import type { AgentSkillsConfig } from '@skillyard/contracts';
import type { AgentSkill } from './agent-skill.ts';
import { AgentSkills, DEFAULT_AGENT } from './agent-skills.ts';
import type { FoundSkill } from './found-skill.ts';
import { isArchivePath } from './read-archive.ts';
import { readSkill } from './read-skill.ts';
import { searchArchive } from './search-archive.ts';
import { searchFolder } from './search-folder.ts';
import { type LoaderPlace, type SearchPath, searchPaths } from './search-paths.ts';
import { SearchReport } from './search-report.ts';

/**
 * Finds and reads every skill that the configuration leads to. Lenient loading leaves out what it cannot read and says
 * so in the diagnostics; strict loading fails on it.
 * @throws SkillyardError SKILL_INVALID when strict and a skill is invalid, naming the file
 * @throws SkillyardError FILE_UNREADABLE for a search path that is neither a folder nor an archive, or a damaged archive
 * @throws SkillyardError SKILL_TOO_LARGE for an archive that is over a limit
 */
export async function loadAgentSkills(config: AgentSkillsConfig, place: LoaderPlace): Promise<AgentSkills> {
  const isDisabled = (agent: string): boolean => config.agents?.[agent]?.disabled === true;
  const report = new SearchReport(config.strict === true);
  const registry = new Registry(isDisabled, report);
  const shareDefaults = config.enable_default_skills === true;
  for (const path of searchPaths(config, place)) {
    for (const found of await search(path, isDisabled, report)) {
      const owner = found.agent ?? path.agent;
      // Whom the file names does not matter here: what stands outside all agent folders is a default skill.
      if (owner === null ? shareDefaults : !isDisabled(owner)) registry.add(found, owner ?? DEFAULT_AGENT);
    }
  }
  return new AgentSkills({
    client: place.client ?? '',
    byAgent: registry.byAgent,
    shareDefaults,
    isDisabled,
    diagnostics: report.diagnostics,
    omittedDiagnostics: report.omitted,
  });
}

function search(
  { path, shown }: SearchPath,
  isDisabled: (agent: string) => boolean,
  report: SearchReport,
): Promise<FoundSkill[]> {
  return isArchivePath(path)
    ? searchArchive(path, shown, report)
    : searchFolder(path, shown, isDisabled, report);
}

/** Skills by the agents that get them. */
class Registry {
  readonly byAgent = new Map<string, Map<string, AgentSkill>>();
  readonly #byFoldedName = new Map<string, AgentSkill>();
  readonly #isDisabled: (agent: string) => boolean;
  readonly #report: SearchReport;

  constructor(isDisabled: (agent: string) => boolean, report: SearchReport) {
    this.#isDisabled = isDisabled;
    this.#report = report;
  }

  /** @param owner the agent that gets it when the file names none */
  add(found: FoundSkill, owner: string): void {
    const skill = this.#read(found);
    if (skill === null) return;
    const owners = skill.agents.length > 0 ? skill.agents : [owner];
    for (const agent of new Set(owners)) {
      if (!this.#isDisabled(agent)) this.#register(agent, skill);
    }
  }

  #read({ text, folder, location, file, resources }: FoundSkill): AgentSkill | null {
    if (typeof text !== 'string') {
      this.#report.add(text, file);
      return null;
    }
    const { content, problems } = readSkill(text, folder);
    for (const problem of problems) this.#report.add(problem, file);
    return content === null ? null : { ...content, location, file, resources };
  }

  #register(agent: string, skill: AgentSkill): void {
    let skills = this.byAgent.get(agent);
    if (skills === undefined) {
      skills = new Map();
      this.byAgent.set(agent, skills);
    }
    this.#tellSimilar(agent, skill, skills);
    skills.set(skill.name, skill);
  }

  /** Says so when a skill hides another, or is easily taken for another. */
  #tellSimilar(agent: string, skill: AgentSkill, others: ReadonlyMap<string, AgentSkill>): void {
    const hidden = others.get(skill.name);
    if (hidden !== undefined) {
      const message = `agent ${agent}: the skill "${skill.name}" is hidden by the one in ${skill.file}`;
      const hint = 'rename one of them, unless this is meant';
      this.#report.add({ code: 'SKILL_SHADOWED', severity: 'warning', message, hint }, hidden.file);
    }
    const folded = `${agent}\0${skill.name.toLowerCase()}`;
    const similar = this.#byFoldedName.get(folded);
    if (similar !== undefined && similar.name !== skill.name) {
      const message = `agent ${agent}: "${skill.name}" and "${similar.name}" of ${similar.file} differ by case only`;
      const hint = 'rename one of them: models and people take one for the other';
      this.#report.add({ code: 'SKILL_NAME_CASE', severity: 'warning', message, hint }, skill.file);
    }
    this.#byFoldedName.set(folded, skill);
  }
}
