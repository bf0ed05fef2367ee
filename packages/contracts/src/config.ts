import { Type, type Static } from 'typebox';
import { AgentSkillsConfig } from './agent-skills-config.ts';
import { Duration, DURATION_PATTERN } from './duration.ts';
import { JsonObject } from './json.ts';
import { LintConfig } from './lint-config.ts';
import {
  HistoryConfig,
  HttpConfig,
  TelemetryConfig,
  TenantConfig,
  WebhooksConfig,
} from './service-config.ts';

const modelCommon = {
  structured_output: Type.Optional(
    Type.Boolean({
      description:
        'The endpoint enforces a JSON Schema while it decodes. Without it, a step with response_schema is refused.',
    }),
  ),
  timeout: Type.Optional(Duration),
  max_output_tokens: Type.Optional(Type.Integer({ minimum: 1 })),
  price: Type.Optional(
    Type.Object(
      { input: Type.Number({ minimum: 0 }), output: Type.Number({ minimum: 0 }) },
      {
        additionalProperties: false,
        description: 'Per million tokens, in one currency for all models. For `skillyard check`.',
      },
    ),
  ),
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
      script: Type.Union([Type.String({ minLength: 1 }), Type.Array(Type.String({ minLength: 1 }))], {
        description: 'YAML file of answers per step name, or several of them. For examples and tests.',
      }),
    },
    { additionalProperties: false },
  ),
]);
export type ModelConfig = Static<typeof ModelConfig>;

/** What `skillyard check` assumes of a generation, since no skill says it. */
const CheckConfig = Type.Object(
  {
    input_tokens: Type.Optional(
      Type.Integer({ minimum: 0, description: 'What a model is told each time; 8000 when absent.' }),
    ),
    output_tokens: Type.Optional(
      Type.Integer({ minimum: 0, description: 'An answer without a ceiling; 1000 when absent.' }),
    ),
  },
  { additionalProperties: false },
);

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

/** The pool of workers of one class: `model`, `builtin`, what `class` of a server says, or the server's own name. */
export const ClassConfig = Type.Object(
  {
    concurrency: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        description: 'Jobs at once in one process; 16 for `model`, 4 for tools when absent.',
      }),
    ),
    global_concurrency: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100_000, description: 'Jobs at once in all processes together.' }),
    ),
    rate_limit: Type.Optional(
      Type.Object(
        { requests: Type.Integer({ minimum: 1 }), per: Duration },
        { additionalProperties: false, description: 'Jobs started per period, in all processes together.' },
      ),
    ),
    priority: Type.Optional(
      Type.Record(Type.String(), Type.Integer({ minimum: 1, maximum: 1000 }), {
        description:
          'Which server or model of the class is served first when jobs wait: 1 before 2, and those without a number last.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type ClassConfig = Static<typeof ClassConfig>;

/** What is done when an endpoint or a repeatable tool is overloaded, away or too slow. */
export const RetriesConfig = Type.Object(
  {
    attempts: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        description: 'Attempts at one job, the first included; 4 when absent, 1 tries nothing again.',
      }),
    ),
    delay: Type.Optional(
      Type.String({
        pattern: DURATION_PATTERN,
        description: 'Before the second attempt, doubled for each further one; 1s when absent.',
      }),
    ),
    max_delay: Type.Optional(
      Type.String({
        pattern: DURATION_PATTERN,
        description:
          'The longest wait between two attempts, also when an endpoint asks for more; 1m when absent.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type RetriesConfig = Static<typeof RetriesConfig>;

/** A repository that `source: git` may read, by the name that refs call it. */
export const GitRepositoryConfig = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      description:
        'https://, http://, ssh://, file://, user@host:path, or a path that starts at the folder of this file.',
    }),
    ref_prefix: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'What stands before the branch of a ref; `refs/heads/` when absent.',
      }),
    ),
    token_env: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'The environment variable that holds the token for http(s).',
      }),
    ),
    user: Type.Optional(
      Type.String({ minLength: 1, description: 'User the token belongs to; `x-access-token` when absent.' }),
    ),
  },
  { additionalProperties: false },
);
export type GitRepositoryConfig = Static<typeof GitRepositoryConfig>;

/** Where assets may come from besides the skill file and the MCP servers. */
export const AssetsConfig = Type.Object(
  {
    root: Type.Optional(
      Type.String({
        description: "Folder that file assets are read below; the skill file's own when absent.",
      }),
    ),
    max_bytes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 16_777_216,
        description: 'Largest text of an asset that is fetched; 1 MiB when absent.',
      }),
    ),
    cache_dir: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'Folder for copies of git repositories; `skillyard/git` in the cache folder of the user when absent.',
      }),
    ),
    http: Type.Optional(
      Type.Object(
        {
          allow: Type.Array(Type.String({ minLength: 1 }), {
            description:
              'Origins and beginnings of addresses that may be fetched, redirects included. https unless one says http://.',
          }),
          headers_env: Type.Optional(
            Type.Record(Type.String(), Type.Record(Type.String(), Type.String({ minLength: 1 })), {
              description:
                'Beginning of an address to headers, each with the environment variable that holds its value.',
            }),
          ),
        },
        { additionalProperties: false },
      ),
    ),
    git: Type.Optional(
      Type.Record(Type.String(), GitRepositoryConfig, {
        description: 'Repositories by the name that `project@branch:path` calls them.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type AssetsConfig = Static<typeof AssetsConfig>;

/** How the code of skills is run: in processes of its own. */
const CodeConfig = Type.Object(
  {
    env_from: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        description: 'Variables passed on from our environment to the code of skills; nothing else is.',
      }),
    ),
    timeout: Type.Optional(
      Type.String({
        pattern: DURATION_PATTERN,
        description: 'What a decision may take, and an action that sets no time of its own; 60s when absent.',
      }),
    ),
    max_processes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        description: 'Processes of skills that are kept for the next job; 8 when absent.',
      }),
    ),
    memory_mb: Type.Optional(
      Type.Integer({
        minimum: 32,
        maximum: 65_536,
        description: 'Heap of a process; what Node takes when absent.',
      }),
    ),
  },
  { additionalProperties: false },
);

/** Which commands programs may have run, and what one of them may take. */
export const CommandsConfig = Type.Object(
  {
    allow: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        description:
          'Commands that may be run, as programs write them: `*` stands for any text without characters that mean something to a shell. Alone it allows every command. None when absent.',
      }),
    ),
    cwd: Type.Optional(
      Type.String({ minLength: 1, description: 'Folder they run in; that of the program when absent.' }),
    ),
    env_from: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        description: 'Variables passed on from our environment to commands; nothing else is.',
      }),
    ),
    timeout: Type.Optional(
      Type.String({
        pattern: DURATION_PATTERN,
        description: 'The longest a command may take, whatever its program says; 1h when absent.',
      }),
    ),
    output_bytes: Type.Optional(
      Type.Integer({
        minimum: 65_536,
        // A value of Redis has 512 MiB at most, and as base64 bytes take a third more.
        maximum: 268_435_456,
        description: 'Of stdout and of stderr: what is kept at most; 128 MiB when absent.',
      }),
    ),
    cpu_seconds: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Processor time of one process of a command.' }),
    ),
    memory_mb: Type.Optional(
      Type.Integer({ minimum: 16, maximum: 1_048_576, description: 'Memory of one process of a command.' }),
    ),
    file_mb: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_048_576, description: 'The largest file a command may write.' }),
    ),
    open_files: Type.Optional(
      Type.Integer({ minimum: 16, maximum: 1_048_576, description: 'Files one process may have open.' }),
    ),
  },
  { additionalProperties: false },
);
export type CommandsConfig = Static<typeof CommandsConfig>;

/** The configuration file, `skillyard.yaml`. */
export const Config = Type.Object(
  {
    default_model: Type.Optional(Type.String()),
    models: Type.Optional(Type.Record(Type.String(), ModelConfig)),
    servers: Type.Optional(Type.Record(Type.String(), ServerConfig)),
    skills: Type.Optional(
      Type.Array(Type.String(), { description: 'Folders of skill files, where delegate steps look.' }),
    ),
    agent_skills: Type.Optional(AgentSkillsConfig),
    classes: Type.Optional(Type.Record(Type.String(), ClassConfig)),
    retries: Type.Optional(RetriesConfig),
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
        {
          preview_bytes: Type.Optional(Type.Integer({ minimum: 256, maximum: 65_536 })),
          max_bytes: Type.Optional(
            Type.Integer({
              minimum: 65_536,
              maximum: 68_719_476_736,
              description:
                'Bytes of large values that one turn may hold, with the turns it delegates to; 512 MiB when absent.',
            }),
          ),
        },
        { additionalProperties: false },
      ),
    ),
    assets: Type.Optional(AssetsConfig),
    code: Type.Optional(CodeConfig),
    commands: Type.Optional(CommandsConfig),
    lint: Type.Optional(LintConfig),
    check: Type.Optional(CheckConfig),
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
    http: Type.Optional(HttpConfig),
    tenants: Type.Optional(
      Type.Record(Type.String(), TenantConfig, {
        description: 'By name; `*` is for all that are not named.',
      }),
    ),
    policy: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'File that says which tools a role may reach; everything when absent.',
      }),
    ),
    webhooks: Type.Optional(WebhooksConfig),
    history: Type.Optional(HistoryConfig),
    telemetry: Type.Optional(TelemetryConfig),
    meta: Type.Optional(JsonObject),
  },
  { additionalProperties: false },
);
export type Config = Static<typeof Config>;
