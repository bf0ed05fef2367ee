import { Type, type Static } from 'typebox';
import { JsonObject } from './json.ts';

const words = (description: string) => Type.Optional(Type.Array(Type.String(), { description }));
const text = Type.String({ minLength: 1 });

/** What a tool wraps around its result: the names beside the part that counts. */
const Envelope = Type.Object(
  {
    server: text,
    fields: Type.Array(text, { description: 'The fields of the wrapping, the payload among them.' }),
    payload: text,
  },
  { additionalProperties: false },
);

/** Something that playbooks once called and that is no longer there. */
const StaleApi = Type.Object(
  {
    pattern: Type.String({ minLength: 1, description: 'Regular expression, matched against playbooks.' }),
    what: text,
    instead: text,
  },
  { additionalProperties: false },
);

/** `lint:` of the configuration: what the linter should know of how skills are written here. docs/lint/README.md. */
export const LintConfig = Type.Object(
  {
    playbook_budget: Type.Optional(
      Type.Integer({
        description: 'Longest playbook in UTF-8 bytes; 0 is 12288, a negative one is none (S5).',
      }),
    ),
    call_protocol: Type.Optional(
      Type.String({
        description: 'The word that playbooks write a tool call with, as in `use_tool(` (E2, W12).',
      }),
    ),
    envelopes: Type.Optional(Type.Array(Envelope, { description: 'Servers that wrap their results (W8).' })),
    assets: Type.Optional(
      Type.Object(
        {
          code_kinds: words('Kinds of assets that are programs (W4, W11).'),
          reference_kinds: words('Kinds of assets that are for the model to read (W4).'),
          known_params: words('Params of assets that something reads (W11).'),
          lang_param: Type.Optional(
            Type.String({ description: 'The param that names the language of a program (W11).' }),
          ),
        },
        { additionalProperties: false },
      ),
    ),
    stale_apis: Type.Optional(
      Type.Array(StaleApi, { description: 'What playbooks may no longer call (S3).' }),
    ),
    read_only_roles: words('Roles that may not reach a server that writes (E3).'),
    implicit_builtins: words('Built-in tools that a skill has without declaring them (E5).'),
    empty_words: words('Words that allow a field to stay empty (W16).'),
    free_text_fields: words('Parts of the names of fields that take free text (W13).'),
    host_vars: words('Variables that the embedding application gives a turn, besides `input` (W14).'),
  },
  { additionalProperties: false },
);
export type LintConfig = Static<typeof LintConfig>;

/**
 * What is known of an installation, as a facts file says it. A fact that is absent is unknown, and the rules that need it
 * say that they did not run.
 */
export const LintFacts = Type.Object(
  {
    server_names: words('Every tool server there is.'),
    all_tools: Type.Optional(
      Type.Record(Type.String(), Type.Array(Type.String()), { description: 'The tools of each server.' }),
    ),
    tool_schemas: Type.Optional(
      Type.Record(Type.String(), JsonObject, {
        description: '`server:tool` to the schema of its arguments.',
      }),
    ),
    builtin_tools: words('Every built-in tool there is.'),
    write_servers: words('The servers that change something; an empty list is an answer.'),
    skill_names: words('Every skill that may be delegated to.'),
  },
  { additionalProperties: false },
);
export type LintFacts = Static<typeof LintFacts>;
