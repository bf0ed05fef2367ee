import type { ReferenceDefinition, SkillDefinition, TopicConfig } from '../definition/skill-definition.ts';

const FLAGS = `Flags:
  --params <json>           what the skill is started with; on advance again, unless there is a session
  --step <name>             advance: the step that is answered
  --output <json>           advance: the answer
  --history <json>          advance: every completed record so far, in an array
  --host <name>             the agent that runs the skill, such as claude-code (default: generic)
  --tools <a,b>             tools of the agent
  --subagent                the tools given with --tools are all there are
  --session <new|id>        keep the state in a session file
  --session-dir <folder>    where session files lie (default: skill-kit-sessions in the folder for temporary files)
  --output-mode <file|flag> how answers reach a session (default: file)
  --help                    show this`;

/** How a workflow is used. Begins with its name. */
export function workflowHelp(definition: SkillDefinition): string {
  const subskills = Object.keys(definition.subskills ?? {});
  const topics = definition.topics ?? {};
  const hasTopics = Object.keys(topics).length > 0;
  return [
    title(definition),
    `Usage: run [start] [flags]               begin: gives the first prompt
       run advance [flags]               answer a step: gives the next prompt
       run cleanup [flags]               delete a session
       run mcp                           serve the skill as an MCP server${
         subskills.length === 0
           ? ''
           : `
       run <sub-skill> [start|advance]   use a sub-skill directly`
       }${hasTopics ? topicUsage() : ''}`,
    ...(subskills.length === 0 ? [] : [`Sub-skills:\n${subskills.map((name) => `  ${name}`).join('\n')}`]),
    ...(hasTopics ? [topicList(topics)] : []),
    FLAGS,
  ].join('\n\n');
}

/** How a reference skill is used. Begins with its name. */
export function referenceHelp(definition: ReferenceDefinition): string {
  return [
    title(definition),
    `Usage: run mcp                           serve the skill as an MCP server${topicUsage()}`,
    topicList(definition.topics),
    `Flags:
  --help                    show this`,
  ].join('\n\n');
}

function title({
  name,
  description,
}: {
  readonly name: string;
  readonly description: string | undefined;
}): string {
  return description === undefined ? name : `${name}: ${description}`;
}

function topicUsage(): string {
  return `
       run topics                        list the topics
       run topic <name>                  show a topic`;
}

function topicList(topics: Readonly<Record<string, TopicConfig>>): string {
  return `Topics:\n${Object.entries(topics)
    .map(([name, { label }]) => `  ${name}: ${label}`)
    .join('\n')}`;
}
