import type { Buildable } from '../definition/skill-definition.ts';

/**
 * The lines of a SKILL.md that tools read, between the two `---`. The order is fixed, so that a rebuild changes only what
 * the skill changes.
 */
export function frontMatter(definition: Buildable, description: string): string[] {
  const { name, version } = definition;
  return [
    `name: ${name}`,
    `description: ${JSON.stringify(description)}`,
    ...(version === '0.0.0' ? [] : ['metadata:', `  version: ${JSON.stringify(version)}`]),
    ...field('argument-hint', definition.argumentHint),
    ...field('arguments', definition.arguments),
    `allowed-tools: ${JSON.stringify(allowedTools(definition).join(' '))}`,
    ...field('paths', definition.paths),
    ...field('context', definition.context),
    ...field('license', definition.license),
    ...field('compatibility', definition.compatibility),
    ...field('agent', definition.agent),
    ...field('model', definition.model),
    ...field('effort', definition.effort),
    ...field('disable-model-invocation', definition.disableModelInvocation),
    ...field('user-invocable', definition.userInvocable),
  ];
}

/** What SKILL.md says the skill is for. The standard wants something there. */
export function descriptionOf(definition: Buildable): string {
  return definition.description ?? `Runs the ${definition.name} workflow.`;
}

function field(key: string, value: string | boolean | readonly string[] | undefined): string[] {
  if (value === undefined) return [];
  if (typeof value === 'boolean') return [`${key}: ${value}`];
  if (typeof value === 'string') return [`${key}: ${JSON.stringify(value)}`];
  return value.length === 0 ? [] : [`${key}: [${value.map((one) => JSON.stringify(one)).join(', ')}]`];
}

/** The tools of the two ways to run the skill, then those of the author, each once. */
function allowedTools(definition: Buildable): string[] {
  const words = definition.kind === 'skill' ? ['start', 'advance'] : [];
  if (Object.keys(definition.topics ?? {}).length > 0) words.push('topic', 'topics');
  const own = ['Bash(scripts/run *)', 'Read', ...words.map((word) => `mcp__${definition.name}__${word}`)];
  return [...new Set([...own, ...toolsIn(definition.allowedTools)])];
}

/** A tool may name what it may do, `Bash(git log *)`: blanks in parentheses do not end it. */
function toolsIn(given: string | readonly string[] | undefined): string[] {
  const texts = given === undefined ? [] : [given].flat();
  return texts.flatMap((text) => text.match(/[^\s(]+(?:\([^)]*\)?)?/g) ?? []);
}
