import type { AgentSkill } from './agent-skill.ts';

/** What a catalog tells besides names and descriptions. */
export interface CatalogOptions {
  /** Where each skill stands, for a model that can read files. */
  readonly locationOf?: (skill: AgentSkill) => string;
}

/**
 * The list of skills for a system prompt, in the form of the open standard's reference tool. Skills without a
 * description are left out: nothing would tell a model when to use them.
 * @returns an empty text when there are none: then nothing about skills should be said at all
 */
export function catalogText(skills: readonly AgentSkill[], options: CatalogOptions = {}): string {
  const lines = catalogSkills(skills).flatMap((skill) => {
    const location = options.locationOf?.(skill);
    return [
      '<skill>',
      ...element('name', skill.name),
      ...element('description', skill.description),
      ...(location === undefined ? [] : element('location', location)),
      '</skill>',
    ];
  });
  return lines.length === 0 ? '' : ['<available_skills>', ...lines, '</available_skills>'].join('\n');
}

/** The skills that a model can choose from: those that have a description. */
export function catalogSkills(skills: readonly AgentSkill[]): readonly AgentSkill[] {
  return skills.filter(({ description }) => description.trim() !== '');
}

function element(name: string, text: string): string[] {
  return [`<${name}>`, escaped(text), `</${name}>`];
}

/** A description comes from a stranger: it may not close the list and go on as instructions. */
function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#x27;');
}
