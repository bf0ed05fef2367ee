import type { References, SkillDefinition } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';
import { NO_REFERENCES } from './no-references.ts';

/**
 * What a topic of a skill says.
 * @throws KitError TARGET_UNKNOWN if there is no such topic; and what the author's function throws
 */
export function topicContent(
  { topics = {} }: Pick<SkillDefinition, 'topics'>,
  name: string,
  references: References = NO_REFERENCES,
): string {
  const topic = Object.hasOwn(topics, name) ? topics[name] : undefined;
  if (topic === undefined) {
    const names = Object.keys(topics).join(', ') || 'none';
    throw new KitError('TARGET_UNKNOWN', `There is no topic "${name}"; there are: ${names}`);
  }
  return topic.content({ refs: references });
}
