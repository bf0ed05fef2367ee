import { Type, type Static } from 'typebox';
import { Diagnostic } from '../diagnostic.ts';
import type { FlowGraph } from '../flow-graph.ts';
import { JsonObject } from '../json.ts';

/** A skill that turns can be submitted with by its name. */
export const SkillSummary = Type.Object({
  name: Type.String(),
  title: Type.String({ description: 'As people call it; the name when it has none.' }),
  description: Type.String(),
  version: Type.String({ description: '`skill_version` of its header; may be empty.' }),
  hash: Type.String(),
  origin: Type.Enum(['folder', 'uploaded'], { description: 'A folder of the configuration, or the API.' }),
});
export type SkillSummary = Static<typeof SkillSummary>;

export const SkillList = Type.Object({ skills: Type.Array(SkillSummary) });
export type SkillList = Static<typeof SkillList>;

/** One version of a skill, whole. */
export const SkillResource = Type.Object({
  ...SkillSummary.properties,
  file: Type.String(),
  text: Type.String(),
  vars: Type.Array(Type.String(), {
    description: 'Variables that the flow reads and does not write itself.',
  }),
  graph: Type.Union([Type.Unsafe<FlowGraph>(JsonObject), Type.Null()], {
    description: 'Nodes and edges of its flow; null for one in prose.',
  }),
});
export type SkillResource = Static<typeof SkillResource>;

export const SkillVersionList = Type.Object({
  versions: Type.Array(
    Type.Object({
      version: Type.String(),
      hash: Type.String(),
      atMs: Type.Union([Type.Integer(), Type.Null()]),
      by: Type.String(),
      current: Type.Boolean(),
    }),
    { description: 'The newest first.' },
  ),
});
export type SkillVersionList = Static<typeof SkillVersionList>;

/** The source of a skill. */
export const SkillText = Type.Object(
  { text: Type.String({ minLength: 1 }) },
  { additionalProperties: false },
);
export type SkillText = Static<typeof SkillText>;

/** What is to be said of a skill before it runs. */
export const SkillCheck = Type.Object({
  accepted: Type.Boolean({ description: 'Whether it would run.' }),
  diagnostics: Type.Array(Diagnostic, { description: 'Why it is refused.' }),
  findings: Type.Array(JsonObject, {
    description: 'What the lint rules say, as `skillyard lint --json` does.',
  }),
  preflight: Type.Union([JsonObject, Type.Null()], {
    description: 'What it may do, as `skillyard check --json` says it.',
  }),
});
export type SkillCheck = Static<typeof SkillCheck>;
