import type { SkillDefinition } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';

/** What a skill can leave for: one of its sub-skills or topics. */
export interface Departure {
  readonly kind: 'subskill' | 'topic';
  readonly name: string;
}

export type Target = { readonly kind: 'step'; readonly step: string } | Departure;

const SUBSKILL = 'subskill:';
const TOPIC = 'topic:';

/**
 * What a step leads to: a step, a sub-skill or a topic of the skill.
 * @param from the step that leads there
 * @throws KitError TARGET_UNKNOWN
 */
export function targetOf(definition: SkillDefinition, from: string, target: string): Target {
  if (Object.hasOwn(definition.steps, target)) {
    return { kind: 'step', step: target };
  }
  if (target.startsWith(SUBSKILL)) {
    return known('subskill', target.slice(SUBSKILL.length), definition.subskills ?? {}, from);
  }
  if (target.startsWith(TOPIC)) {
    return known('topic', target.slice(TOPIC.length), definition.topics ?? {}, from);
  }
  throw new KitError(
    'TARGET_UNKNOWN',
    `Step ${from} leads to "${target}", which is no step, sub-skill or topic of the skill; correct its next`,
  );
}

/** As authors write it. */
export function targetText({ kind, name }: Departure): string {
  return `${kind === 'subskill' ? SUBSKILL : TOPIC}${name}`;
}

function known(
  kind: 'subskill' | 'topic',
  name: string,
  names: Readonly<Record<string, unknown>>,
  from: string,
): Departure {
  if (Object.hasOwn(names, name)) {
    return { kind, name };
  }
  const word = kind === 'subskill' ? 'sub-skill' : 'topic';
  throw new KitError(
    'TARGET_UNKNOWN',
    `Step ${from} leads to the unknown ${word} "${name}"; there are: ${Object.keys(names).join(', ') || 'none'}`,
  );
}
