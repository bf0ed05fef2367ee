import type { FrontMatter } from '../definition/skill-definition.ts';

/** The front matter of a config, in the order in which it is written. */
export function frontMatterOf(config: FrontMatter): FrontMatter {
  return {
    argumentHint: config.argumentHint,
    arguments: config.arguments,
    allowedTools: config.allowedTools,
    paths: config.paths,
    context: config.context,
    license: config.license,
    compatibility: config.compatibility,
    agent: config.agent,
    model: config.model,
    effort: config.effort,
    disableModelInvocation: config.disableModelInvocation,
    userInvocable: config.userInvocable,
  };
}
