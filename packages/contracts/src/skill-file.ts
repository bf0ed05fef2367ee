import { type Static, type TSchema, Type } from 'typebox';

/**
 * JSON Schema of a skill file, for editors and for whoever writes skills.
 *
 * It describes the shape: which keys there are and what they hold. What a schema cannot say (a step does one thing, a
 * condition parses, a profile exists) is the validator's work. Keys that are not listed are accepted at every level, as
 * the format accepts them. A key set to null counts as absent.
 *
 * The version that introduced a key is named where it is not 2.0.0.
 */

/** Text as YAML sees it: `1.50`, `yes` and `007` need no quotes, the characters of the source are the value. */
type SkillText = string | number | boolean | null;

const text = (description: string, options: object = {}) =>
  Type.Unsafe<SkillText>({ $ref: '#/$defs/text', description, ...options });
const texts = (description: string) =>
  Type.Unsafe<SkillText[] | null>({ type: ['array', 'null'], items: { $ref: '#/$defs/text' }, description });
const whole = (description: string, options: object = {}) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], description, ...options });
const decimal = (description: string) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], description });
const data = (description: string) =>
  Type.Unsafe<Record<string, unknown> | null>({ type: ['object', 'null'], description });
const mapping = (values: object, description: string) =>
  Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    additionalProperties: values,
    description,
  });
const list = (items: object, description: string, options: object = {}) =>
  Type.Unsafe<unknown[] | null>({ type: ['array', 'null'], items, description, ...options });
const named = (name: string, description: string) =>
  Type.Unsafe<Record<string, unknown> | null>({ $ref: `#/$defs/${name}`, description });
const steps = (description: string) => Type.Unsafe<unknown[] | null>({ $ref: '#/$defs/steps', description });
const choice = (values: readonly string[], description: string) =>
  Type.Unsafe<string | null>({ enum: [...values, '', null], description });

/** A mapping of the format: the keys in which it needs a value, and all keys it knows. */
function block(
  description: string,
  required: readonly string[],
  properties: Record<string, TSchema>,
): TSchema {
  return Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    description,
    ...(required.length === 0 ? {} : { required }),
    properties,
  });
}

const ON_ERROR = ['abort', 'continue', 'skip'];
const DURATION = { examples: ['500ms', '30s', '5m', '2h'] };
const CONDITION = {
  examples: ['kind == audit', 'rows is not empty', 'input contains dessert | drink', 'n.total >= 10'],
};

const onError = (what: string) =>
  choice(
    ON_ERROR,
    `What a failure of ${what} means. abort (the default) stops the flow; continue stores a note of the failure in the step's variable and goes on; skip does the same and leaves the list of steps it stands in.`,
  );
const onEmpty = (policies: readonly string[]) =>
  text(
    'What a blank result means. continue (the default) accepts it; fail makes it a failure, which on_error then judges; retry runs the step of a model again; use stores on_empty_value instead. (2.1.0)',
    { examples: policies },
  );
const onEmptyValue = text(
  'The text stored for a blank result under `on_empty: use`; {{name}} works in it. (2.1.0)',
);
const timeout = (what: string) =>
  text(
    `How long ${what} may take: a number and one unit. When it is over the work is aborted and the step fails with that reason. (2.5.0)`,
    DURATION,
  );

const sampling = block(
  "How a model chooses its words. Every key is the executor's default when absent. Belongs to a step, because steps differ: one picks between two words, another writes prose.",
  [],
  {
    temperature: decimal('0 for choosing and extracting, more for wording.'),
    top_p: decimal('Keeps only the most probable words that together reach this share.'),
    top_k: whole('Keeps only this many of the most probable words.'),
    min_p: decimal('Drops words below this share of the most probable one.'),
    repetition_penalty: decimal('Above 1, words that were used become less likely.'),
    max_tokens: whole(
      'Where an answer is cut off. A step cut off here ends as truncated, so that nobody takes half an answer for a whole one.',
    ),
    reasoning: text('How deep a reasoning model thinks; the words are those of the provider.', {
      examples: ['low', 'medium', 'high'],
    }),
  },
);

const fetchPolicy = block(
  'How a text from outside is fetched. It is fetched during the turn, because freshness is why it lies outside.',
  [],
  {
    ttl: text('How long a fetched copy counts as fresh: 90s, 1h30m. Absent or 0: fetched in every turn.', {
      examples: ['90s', '1h'],
    }),
    timeout: text('Ceiling of one attempt, so that a turn does not hang on a source that is down.', {
      examples: ['2s', '10s'],
    }),
    retries: whole('Further attempts after one that failed for a reason that may pass.'),
    on_unavailable: choice(
      ['fail', 'stale', 'empty'],
      'What to do when it cannot be had: fail (the default), stale takes the copy of before, empty takes no text.',
    ),
  },
);

const asset = block(
  'A text the skill brings along: a script, a template, a list of rules. Give either `content` or `ref`.',
  [],
  {
    kind: text(
      'What it is, in the words of the application: code, text, data. The linter warns when code is read by a model or rules are not.',
    ),
    source: text('Which resolver knows `ref`, in the words of the application.'),
    content: text('The text itself.'),
    ref: text('Where the text lies, in the way its source writes addresses.'),
    args: data(
      'Arguments for a source that is asked by a call: mcp. {{name}} works in every text at any depth.',
    ),
    params: data(
      'What only this kind has, such as the language of code. The resolver checks it; the engine does not look inside.',
    ),
    deliver: text(
      'Where the output of the tool that consumed it goes, when it should not come back to the step. Declared here, because a model forgets the argument.',
      { examples: ['reply', 'file', 'none'] },
    ),
    description: text(
      'What it is for, for the person who edits the skill and does not see the content of a `ref`.',
    ),
    fetch: named('fetch', 'How the text behind `ref` is fetched.'),
  },
);

const profile = block(
  'Settings that several steps of a model share. A step that names it gets those it leaves unset. (2.1.0)',
  [],
  {
    model: text('Name of the model, as the configuration lists it.'),
    sampling: named('sampling', 'Taken over as a whole, or not at all.'),
    tools: texts('Servers that the step may reach. [] is a setting too: none.'),
    max_calls: whole('As on a step.', { minimum: 0 }),
    max_tool_errors: whole('As on a step.', { minimum: 0 }),
    on_error: onError('a step with this profile'),
  },
);

const call = block(
  'A tool called by the flow itself, without a model: it cannot be talked out of it, and it costs no tokens.',
  ['tool'],
  {
    tool: text(
      'The tool as `server:tool`; built-in tools are on the server `builtin`. The server may be left out when `on_server` names it.',
      { examples: ['recipes:search'] },
    ),
    args: data(
      'Arguments. {{name}} works in every text at any depth; {from: "{{rows.mem}}"} and {from: "asset:name"} pass a large value by reference.',
    ),
    save_as: text('Variable that receives the result. Without it the result goes nowhere.'),
    on_error: onError('the call'),
    on_empty: onEmpty(['continue', 'fail', 'use']),
    on_empty_value: onEmptyValue,
    timeout: timeout('the call'),
  },
);

const delegate = block('Another skill that does part of the work, within its own reach.', ['skill', 'task'], {
  skill: text('Name of the other skill.'),
  task: text('What it is to do; {{name}} works in it.'),
  save_as: text('Variable that receives the answer. Without it the answer goes nowhere.'),
  on_error: onError('the other skill'),
  on_empty: onEmpty(['continue', 'fail', 'use']),
  on_empty_value: onEmptyValue,
  timeout: timeout('the other skill'),
});

const askOption = block('One answer to choose.', ['value'], {
  value: text('What is stored when it is chosen.'),
  label: text('What the person reads; the value itself when absent. {{name}} works in it.'),
});

const ask = block(
  'A question to a person. The turn waits for the answer without occupying a worker. (2.5.0)',
  ['question'],
  {
    question: text('What the person is asked; {{name}} works in it.'),
    options: list(
      { $ref: '#/$defs/askOption' },
      'The answers to choose from. Without them the person answers in own words.',
    ),
    save_as: text('Variable that receives the answer; `answer` without it.'),
    on_error: onError('the question'),
    timeout: timeout('the person'),
    on_timeout: choice(
      ['fail', 'use'],
      'What happens when nobody answers in time: fail (the default), or use on_timeout_value as the answer.',
    ),
    on_timeout_value: text('The answer taken under `on_timeout: use`; {{name}} works in it.'),
  },
);

const set = block('A variable set to a text.', ['var'], {
  var: text('Name of the variable.'),
  value: text('The text; {{name}} works in it.'),
});

const switchBlock = block('One of several lists of steps, chosen by the value of a variable.', ['var'], {
  var: text('Name or path of the variable, without braces. Its value is trimmed and compared as text.'),
  cases: mapping({ $ref: '#/$defs/steps' }, 'The lists of steps by value.'),
  default: steps(
    'What runs when no case fits. Without it the step is marked as degraded, since a value that nobody expected is seldom right.',
  ),
});

const ifBlock = block('Two ways to go on, decided by a condition.', ['cond'], {
  cond: text('The condition: one comparison, no `and` or `or`.', CONDITION),
  then: steps('What runs when it holds.'),
  else: steps('What runs when it does not.'),
});

const forEach = block('The same steps for every item of a list.', ['in', 'as'], {
  in: text(
    'Name or path of the variable with the items, without braces: a JSON array, an object with one list in it, or lines of text.',
  ),
  as: text('Variable that holds the item in each iteration.'),
  steps: steps('What runs for each item. An iteration sees what the one before wrote.'),
  collect: text('Variable whose value after each iteration is gathered, with blank lines between.'),
  max_iterations: whole(
    'How many items are walked at most; 10 when absent or 0. Further ones are dropped, and the step says so.',
    { minimum: 0 },
  ),
  on_error: onError('an iteration'),
  concurrency: whole(
    'How many iterations may run at once. Allowed where no iteration reads what another writes; the outcome is that of running in order. (2.5.0)',
    { minimum: 1, maximum: 1000 },
  ),
});

const parallel = block(
  'Lists of steps that run at the same time, none seeing what the others write.',
  ['branches'],
  {
    branches: list(
      { $ref: '#/$defs/steps' },
      'The lists of steps, two at least. Their results are merged in this order.',
      { minItems: 2 },
    ),
    collect: text(
      'Variable that receives what all branches wrote. `<collect>.skipped` then names the steps that did not run, so that "found nothing" and "did not look" stay apart.',
    ),
    on_error: onError('a branch'),
  },
);

const exit = block('Leaves the skill: the request was not meant for it. Not a failure.', [], {
  reason: text('Why, for whoever improves the routing; {{name}} works in it.'),
});

const step = block(
  'One step. It has one action: an `instruction`, or one of the blocks call, delegate, ask, set, switch, if, for_each, parallel, exit.',
  [],
  {
    name: text('What traces and messages call the step.'),
    when: text(
      'Condition under which the step runs; otherwise it is skipped, and the trace shows it.',
      CONDITION,
    ),
    save_as: text(
      'Variable that receives the result. A step of a model without it writes the answer of the turn. Beside a block it goes where the block would put it.',
    ),
    on_error: onError('the step'),
    on_empty: onEmpty(['continue', 'fail', 'retry', 'use']),
    on_empty_value: onEmptyValue,
    timeout: timeout('the step'),
    instruction: text(
      'What a model is to do. {{name}}, {{name.field[0]}} and {{asset:name}} are replaced by what they name.',
    ),
    profile: text('Profile whose settings fill those that this step leaves unset. (2.1.0)'),
    tools: texts(
      "Servers whose tools the model may use here: a part of the workflow's `tools`. [] is none, absent is all of them. Whatever is not listed cannot be reached, however the model is asked.",
    ),
    on_server: text(
      "The one server this step works on; {{name}} works in it. It must be one of the workflow's.",
    ),
    model: text(
      'Name of the model, as the configuration lists it; the default model when absent. Needed beside `response_schema`.',
    ),
    sampling: named('sampling', 'How the model chooses its words.'),
    response_schema: data(
      'JSON Schema that the answer must follow. Needs a model that enforces it. Only what it lists under `required` is sure to come.',
    ),
    one_of: texts(
      'The only results allowed. The answer is reduced to the one it names, or to nothing when it does not decide.',
    ),
    max_calls: whole('How many tool calls the model may make; 0 or absent is the default, never unlimited.'),
    max_tool_errors: whole(
      'How many calls refused by a tool are forgiven on top of max_calls; 0 or absent is the default.',
    ),
    on_empty_retries: whole(
      'How often `on_empty: retry` runs the step again: 1 to 5, once when absent. (2.1.0)',
    ),
    call: named('call', 'Call a tool without a model.'),
    delegate: named('delegate', 'Let another skill do it.'),
    ask: named('ask', 'Ask a person. (2.5.0)'),
    set: named('set', 'Set a variable.'),
    switch: named('switch', 'Choose by a value.'),
    if: named('if', 'Choose by a condition.'),
    for_each: named('forEach', 'Repeat for every item.'),
    parallel: named('parallel', 'Do several things at once.'),
    exit: named('exit', 'Leave the skill.'),
  },
);

const limits = block(
  'Ceilings of a whole turn. Reaching one ends the turn with an error that names it; what was produced is returned. 0 or absent is none. (2.5.0)',
  [],
  {
    generations: whole('Answers of models.', { minimum: 0 }),
    calls: whole('Tool calls.', { minimum: 0 }),
    tokens: whole('Tokens in and out.', { minimum: 0 }),
    seconds: whole('Time from the start of the turn.', { minimum: 0 }),
  },
);

const workflow = block('The turn as steps. Without steps it counts as absent.', [], {
  tools: texts('Servers that the flow may reach. A step may only narrow this list.'),
  vars: mapping(
    { $ref: '#/$defs/text' },
    'Variables that exist from the start. An input of the same name is used instead.',
  ),
  assets: mapping({ $ref: '#/$defs/asset' }, 'Texts that the skill brings along, by name.'),
  profiles: mapping({ $ref: '#/$defs/profile' }, 'Settings shared by steps of a model, by name. (2.1.0)'),
  limits: named('limits', 'Ceilings of a whole turn. (2.5.0)'),
  steps: steps('What happens, in this order.'),
});

const include = block('Another skill whose tools are taken over.', [], { skill: text('Its name.') });
const inlineTool = block('A tool defined here. Further keys are its definition.', [], {
  name: text('Its name; it gets one from its place when absent.'),
});
const mcpSource = block('Tools of an MCP server.', [], {
  server: text('Name of the server.'),
  tools: texts('The tools taken over.'),
});

/** The whole file. */
export const SkillFile = Type.Object(
  {
    skill_engine_version: text(
      'Version of the format that the file is written for, three numbers. It must be 2.0.0 to 2.5.0. A key that came with a later version than this one is refused.',
      { examples: ['2.5.0'] },
    ),
    skill_version: text(
      'Version of the skill itself, three numbers. Measurements of a skill mean something only per version.',
      { examples: ['1.0.0'] },
    ),
    name: Type.Unsafe<string | number>({
      anyOf: [
        { type: 'string', pattern: '^[a-z0-9]([a-z0-9_-]{0,48}[a-z0-9])?$' },
        { type: 'integer', minimum: 0 },
      ],
      description:
        'Name of the skill and of its file: 1 to 50 small letters, digits, dashes and underscores.',
    }),
    description: text('What the skill is for. Routing chooses by it.'),
    trigger_examples: texts('Requests as people phrase them that the skill should answer.'),
    servers: texts('MCP servers that the skill works with.'),
    builtin_tools: texts("The application's own tools that the skill works with."),
    role: text('Name of a set of rights and budgets of the application.'),
    kind: text('What sort of skill it is, in the words of the application.'),
    temperature: decimal('Temperature for running the playbook. Steps have `sampling` instead.'),
    disabled: Type.Unsafe<boolean | null>({
      type: ['boolean', 'null'],
      description: 'Takes the skill out of use without deleting the file.',
    }),
    mode: choice(
      ['workflow', 'playbook'],
      'Which of the two descriptions runs. When absent: the workflow if it has steps, otherwise the playbook.',
    ),
    playbook: text('The turn as a text that a model follows freely.'),
    workflow: named('workflow', 'The turn as steps, which code follows.'),
    meta: data(
      'Whatever the application keeps with a skill: an owner, a schedule, tags. Nothing here reads it.',
    ),
    includes: list({ $ref: '#/$defs/include' }, 'Skills whose tools are taken over. (2.5.0)'),
    tool_refs: texts('Tools by name. (2.5.0)'),
    inline_tools: list({ $ref: '#/$defs/inlineTool' }, 'Tools defined in this file. (2.5.0)'),
    mcp_sources: list({ $ref: '#/$defs/mcpSource' }, 'MCP servers with the tools taken from them. (2.5.0)'),
    agent_skills: texts('Paths of SKILL.md folders. (2.5.0)'),
    overrides: mapping(
      { type: ['object', 'null'] },
      'Changes to the tools named under tool_refs, by tool. (2.5.0)',
    ),
  },
  {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Skillyard skill file',
    required: ['skill_engine_version', 'name', 'description'],
    additionalProperties: true,
    $defs: {
      text: {
        description: 'Text; its characters are those of the source.',
        anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'null' }],
      },
      steps: { type: ['array', 'null'], items: { $ref: '#/$defs/step' } },
      step,
      call,
      delegate,
      ask,
      askOption,
      set,
      switch: switchBlock,
      if: ifBlock,
      forEach,
      parallel,
      exit,
      sampling,
      workflow,
      asset,
      fetch: fetchPolicy,
      profile,
      limits,
      include,
      inlineTool,
      mcpSource,
    },
  },
);
export type SkillFile = Static<typeof SkillFile>;
