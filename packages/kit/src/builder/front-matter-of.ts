import type { FrontMatter } from '../definition/skill-definition.ts';

/** The keys of a definition that only its SKILL.md shows, in their order. */
export function frontMatterOf(settings: FrontMatter): Required<FrontMatter> {
  return {
    argumentHint: settings.argumentHint,
    arguments: settings.arguments,
    allowedTools: settings.allowedTools,
    paths: settings.paths,
    context: settings.context,
    license: settings.license,
    compatibility: settings.compatibility,
    agent: settings.agent,
    model: settings.model,
    effort: settings.effort,
    disableModelInvocation: settings.disableModelInvocation,
    userInvocable: settings.userInvocable,
  };
}
