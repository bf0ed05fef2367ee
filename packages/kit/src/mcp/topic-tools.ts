import { fromJsonSchema, type CallToolResult, type McpServer } from '@modelcontextprotocol/server';
import type { Buildable, References, TopicConfig } from '../definition/skill-definition.ts';
import { TOPIC_SCHEMA } from './input-schemas.ts';
import { failedResult, jsonResult, textResult } from './tool-result.ts';

type Topics = Readonly<Record<string, TopicConfig>>;

/**
 * `topics` and `topic`, where there are any. Those of a reference give text, which is all there is to it; those of a
 * workflow give JSON, as its other tools do.
 */
export function registerTopicTools(server: McpServer, definition: Buildable, references: References): void {
  const { topics, name, kind } = definition;
  if (topics === undefined) {
    return;
  }
  const isReference = kind === 'reference';
  const names = Object.keys(topics).join(', ');
  server.registerTool(
    'topics',
    { description: `Lists what there is to read in "${name}": the name and the label of every topic.` },
    () => (isReference ? textResult(listOf(topics)) : jsonResult({ topics: labelsOf(topics) })),
  );
  server.registerTool(
    'topic',
    {
      description: `Gives the text of a topic${isReference ? ` of "${name}"` : ''}. Topics: ${names}`,
      inputSchema: fromJsonSchema<{ readonly name: string }>(TOPIC_SCHEMA),
    },
    (args) => {
      const topic = Object.hasOwn(topics, args.name) ? topics[args.name] : undefined;
      if (topic === undefined) {
        const message = `There is no topic "${args.name}". Topics: ${names}`;
        return isReference ? textResult(message, true) : jsonResult({ error: message }, true);
      }
      return contentOf(args.name, topic, references, isReference);
    },
  );
}

function contentOf(
  name: string,
  topic: TopicConfig,
  references: References,
  asText: boolean,
): CallToolResult {
  try {
    const content = topic.content({ refs: references });
    return asText ? textResult(content) : jsonResult({ name, content });
  } catch (error) {
    return failedResult(error);
  }
}

function labelsOf(topics: Topics): { name: string; label: string }[] {
  return Object.entries(topics).map(([name, { label }]) => ({ name, label }));
}

function listOf(topics: Topics): string {
  return labelsOf(topics)
    .map(({ name, label }) => `${name}: ${label}`)
    .join('\n');
}
