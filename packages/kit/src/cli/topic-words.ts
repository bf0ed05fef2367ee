import type { References, TopicConfig } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';

/** `name: label`, a line each. */
export function listTopics(topics: Readonly<Record<string, TopicConfig>>): string {
  return Object.entries(topics)
    .map(([name, { label }]) => `${name}: ${label}\n`)
    .join('');
}

/**
 * The text of a topic, with a line feed at its end.
 * @throws KitError PROTOCOL when there is no such topic
 */
export function showTopic(
  topics: Readonly<Record<string, TopicConfig>>,
  name: string | undefined,
  refs: References,
): string {
  if (name === undefined)
    throw new KitError('PROTOCOL', 'the name of a topic is missing: the word "topics" lists them');
  const topic = Object.hasOwn(topics, name) ? topics[name] : undefined;
  if (topic === undefined)
    throw new KitError('PROTOCOL', `unknown topic "${name}": the word "topics" lists them`);
  const text = topic.content({ refs });
  return text.endsWith('\n') ? text : `${text}\n`;
}
