import { Type, type Static } from 'typebox';

const paths = Type.Array(Type.String({ minLength: 1 }));

/** Where `SKILL.md` folders are looked for, and which agents get them. Later places win over earlier ones. */
export const AgentSkillsConfig = Type.Object(
  {
    strict: Type.Optional(
      Type.Boolean({
        description: 'One skill that cannot be read fails the loading; otherwise it is left out.',
      }),
    ),
    enable_default_skills: Type.Optional(
      Type.Boolean({ description: 'Load skills outside the folder of an agent, for every agent.' }),
    ),
    enable_standard_paths: Type.Optional(
      Type.Boolean({
        description: 'Look into `.agents/skills` of the home folder and of the working directory first.',
      }),
    ),
    paths: Type.Optional(paths),
    agents: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Object(
          {
            disabled: Type.Optional(Type.Boolean({ description: 'The agent gets no skills at all.' })),
            paths: Type.Optional(paths),
          },
          { additionalProperties: false },
        ),
        { description: 'Per agent; its paths are looked at after the general ones.' },
      ),
    ),
  },
  { additionalProperties: false },
);
export type AgentSkillsConfig = Static<typeof AgentSkillsConfig>;
