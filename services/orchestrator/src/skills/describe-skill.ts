import type { SkillResource } from '@skillyard/contracts';
import { flowGraph, type Skill } from '@skillyard/engine';
import { outsideVariables } from '@skillyard/lint';
import type { ShelvedSkill } from './shelved-skill.ts';

/** A title for people: `meta.title` of the header, which the engine does not look at; the name when it has none. */
export function titleOf({ name, meta }: Skill): string {
  const { title } = meta;
  return typeof title === 'string' && title.trim() !== '' ? title.trim().slice(0, 200) : name;
}

/** A skill with what can be said of it: its graph, and the variables that have to come from outside. */
export function describeSkill({ skill, ...shelved }: ShelvedSkill): SkillResource {
  const { workflow, description } = skill;
  return {
    ...shelved,
    title: titleOf(skill),
    description,
    vars: workflow === null ? [] : [...outsideVariables(workflow)],
    graph: workflow === null ? null : flowGraph(workflow),
  };
}
