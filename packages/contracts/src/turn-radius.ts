import { Type, type Static } from 'typebox';
import { JsonObject } from './json.ts';

/**
 * What the sources in the header of a skill came to (format 2.5.0). It is found out once, when a turn starts: skills
 * that are included may change, and a turn that runs does not.
 */
export const TurnRadius = Type.Object({
  tools: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description:
      'What the turn may reach: a server with all its tools, or one tool as `server:tool`. null: the sources name no servers, and bound nothing.',
  }),
  entries: Type.Array(
    Type.Object({
      name: Type.String({ description: 'A tool, `mcp:<server>/<tool>`, or `agent_skill:<path>`.' }),
      skill: Type.String({ description: 'Name of the skill that contributed it.' }),
      inline: Type.Boolean({ description: 'Whether that skill defines the tool itself.' }),
      overrides: Type.Optional(JsonObject),
    }),
    { description: 'Each tool once, in the order of the resolution.' },
  ),
  included: Type.Array(
    Type.Object({
      name: Type.String(),
      hash: Type.String({ description: 'Of the text that counted.' }),
    }),
    { description: 'The skills that were included, directly or by others.' },
  ),
  missing: Type.Array(
    Type.Object({
      skill: Type.String(),
      include: Type.String({ description: 'What it includes, and nobody knows.' }),
    }),
  ),
});
export type TurnRadius = Static<typeof TurnRadius>;
