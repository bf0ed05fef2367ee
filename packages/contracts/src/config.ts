import { Type, type Static } from 'typebox';
import { JsonObject } from './json.ts';

/** A duration as people write it: `500ms`, `30s`, `5m`, `2h`. */
export const Duration = Type.String({ pattern: '^[0-9]+(ms|s|m|h)$' });

const modelCommon = {
  structured_output: Type.Optional(
    Type.Boolean({
      description:
        'The endpoint enforces a JSON Schema while it decodes. Without it, a step with response_schema is refused.',
    }),
  ),
  timeout: Type.Optional(Duration),
  max_output_tokens: Type.Optional(Type.Integer({ minimum: 1 })),
};

const hosted = {
  ...modelCommon,
  model: Type.String({ minLength: 1, description: "The provider's name of the model." }),
  base_url: Type.Optional(Type.String({ minLength: 1 })),
  api_key_env: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'The environment variable that holds the key. Keys never stand in this file.',
    }),
  ),
};

/** One model a step may name. */
export const ModelConfig = Type.Union([
  Type.Object(
    { provider: Type.Literal('openai-compatible'), ...hosted, base_url: Type.String({ minLength: 1 }) },
    { additionalProperties: false },
  ),
  Type.Object({ provider: Type.Literal('openai'), ...hosted }, { additionalProperties: false }),
  Type.Object({ provider: Type.Literal('anthropic'), ...hosted }, { additionalProperties: false }),
  Type.Object(
    {
      provider: Type.Literal('scripted'),
      ...modelCommon,
      script: Type.String({
        minLength: 1,
        description: 'YAML file of answers per step name. For examples and tests.',
      }),
    },
    { additionalProperties: false },
  ),
]);
export type ModelConfig = Static<typeof ModelConfig>;

/** What a repeat of a tool call may do: `once` is never repeated, the other two may be. */
export const ToolEffect = Type.Enum(['once', 'idempotent', 'read']);
export type ToolEffect = Static<typeof ToolEffect>;

const serverCommon = {
  class: Type.Optional(
    Type.String({
      pattern: '^[a-z0-9][a-z0-9_-]{0,49}$',
      description: 'Pool of workers that serves it; its own name when absent.',
    }),
  ),
  timeout: Type.Optional(Duration),
  trusted: Type.Optional(
    Type.Boolean({ description: "Believe the server's readOnlyHint and idempotentHint." }),
  ),
  effect: Type.Optional(ToolEffect),
  effects: Type.Optional(
    Type.Record(Type.String(), ToolEffect, { description: 'Per tool; wins over `effect`.' }),
  ),
};

/** One MCP server: a child process, or an address. */
export const ServerConfig = Type.Union([
  Type.Object(
    {
      ...serverCommon,
      command: Type.String({ minLength: 1 }),
      args: Type.Optional(Type.Array(Type.String())),
      cwd: Type.Optional(Type.String()),
      env: Type.Optional(Type.Record(Type.String(), Type.String())),
      env_from: Type.Optional(
        Type.Array(Type.String(), {
          description: 'Variables passed on from our environment; nothing else is.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      ...serverCommon,
      url: Type.String({ minLength: 1 }),
      headers: Type.Optional(Type.Record(Type.String(), Type.String())),
      headers_env: Type.Optional(
        Type.Record(Type.String(), Type.String(), { description: 'Header name to environment variable.' }),
      ),
    },
    { additionalProperties: false },
  ),
]);
export type ServerConfig = Static<typeof ServerConfig>;

/** The pool of workers of one class. */
export const ClassConfig = Type.Object(
  { concurrency: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })) },
  { additionalProperties: false },
);
export type ClassConfig = Static<typeof ClassConfig>;

/** The configuration file, `skillyard.yaml`. */
export const Config = Type.Object(
  {
    default_model: Type.Optional(Type.String()),
    models: Type.Optional(Type.Record(Type.String(), ModelConfig)),
    servers: Type.Optional(Type.Record(Type.String(), ServerConfig)),
    skills: Type.Optional(
      Type.Array(Type.String(), { description: 'Folders of skill files, where delegate steps look.' }),
    ),
    classes: Type.Optional(Type.Record(Type.String(), ClassConfig)),
    vocabulary: Type.Optional(
      Type.Object(
        {
          decision_markers: Type.Optional(Type.Array(Type.String())),
          truncation_notes: Type.Optional(Type.Array(Type.String())),
        },
        { additionalProperties: false },
      ),
    ),
    memory: Type.Optional(
      Type.Object(
        { preview_bytes: Type.Optional(Type.Integer({ minimum: 256, maximum: 65_536 })) },
        { additionalProperties: false },
      ),
    ),
    assets: Type.Optional(
      Type.Object(
        {
          root: Type.Optional(
            Type.String({
              description: "Folder that file assets are read below; the skill file's own when absent.",
            }),
          ),
        },
        { additionalProperties: false },
      ),
    ),
    fan_out: Type.Optional(Type.Enum(['auto', 'off'])),
    concurrency: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10_000, description: 'Step jobs at once in the local driver.' }),
    ),
    redis: Type.Optional(
      Type.Object(
        {
          url: Type.Optional(Type.String({ minLength: 1 })),
          prefix: Type.Optional(Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,49}$' })),
        },
        { additionalProperties: false },
      ),
    ),
    meta: Type.Optional(JsonObject),
  },
  { additionalProperties: false },
);
export type Config = Static<typeof Config>;

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/**
 * Reads a duration as people write it.
 * @param text `500ms`, `30s`, `5m` or `2h`
 * @returns milliseconds, or undefined if the text is no duration
 */
export function parseDurationMs(text: string): number | undefined {
  const match = /^([0-9]{1,9})(ms|s|m|h)$/.exec(text);
  if (!match) return undefined;
  return Number(match[1]) * UNIT_MS[match[2] as keyof typeof UNIT_MS];
}
