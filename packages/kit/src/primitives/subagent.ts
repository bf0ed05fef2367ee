import type { SubagentConfig } from '../definition/skill-definition.ts';
import { escapeAttribute, escapeText } from './escape-markup.ts';
import type { PrimitiveKind } from './primitive-kind.ts';

const NO_RECURSE = 'With `no-recurse`, the skill it names must not be used for this task.';

/** Work for an agent with a context of its own. */
export const subagent: PrimitiveKind<SubagentConfig> = {
  tag: 'subagent',
  tools: ['Agent', 'agent', 'spawn_agent', 'CollabAgent', 'task', 'USE_SUBAGENTS', 'new_task'],
  render: ({ prompt, allowRecursion }, skillName) =>
    `<subagent${allowRecursion === true ? '' : ` no-recurse="${escapeAttribute(skillName)}"`}>` +
    `${escapeText(prompt)}</subagent>`,
  howToUse: (tool) =>
    tool === null
      ? `Do the enclosed task by itself, apart from the rest of the step, and use only what it yields. ${NO_RECURSE}`
      : `Start one agent with ${tool} for the enclosed task, tell it to give back a structured result, and use that. ${NO_RECURSE}`,
};
