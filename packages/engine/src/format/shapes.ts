/**
 * The keys of a skill file and how each is read. The one list of them: the types after reading follow from it, and a
 * test holds the published JSON Schema against it.
 *
 * Names are those of the file (`save_as`); the program that is compiled later has its own (ast.ts).
 */
import {
  addition,
  block,
  type Block,
  type Field,
  flag,
  integer,
  json,
  listOf,
  mapOf,
  number,
  text,
} from './field.ts';
import { goDuration } from './go-duration.ts';
import { jsonRecord } from './json-record.ts';
import { atStep } from './place.ts';
import { textOf } from './scalar.ts';

const texts = listOf(text);

export const SAMPLING = {
  temperature: number,
  top_p: number,
  top_k: integer,
  min_p: number,
  repetition_penalty: number,
  max_tokens: integer,
  reasoning: text,
};

export const FETCH = { ttl: goDuration, timeout: goDuration, retries: integer, on_unavailable: text };

export const ASSET = {
  kind: text,
  source: text,
  content: text,
  ref: text,
  args: json,
  params: json,
  deliver: text,
  description: text,
  fetch: block(FETCH),
};

export const PROFILE = {
  model: text,
  sampling: block(SAMPLING),
  tools: texts,
  max_calls: integer,
  max_tool_errors: integer,
  on_error: text,
};

/** A list of steps. Named here, because steps contain lists of steps. */
const steps: Field<readonly RawStep[], null> = {
  absent: null,
  read: (node, place, reading) => stepList.read(node, place, reading),
};

export const SWITCH = { var: text, cases: mapOf(steps), default: steps };
export const IF = { cond: text, then: steps, else: steps };
export const SET = { var: text, value: text };
export const EXIT = { reason: text };
export const PARALLEL = { branches: listOf(steps), collect: text, on_error: text };

export const CALL = {
  tool: text,
  args: json,
  save_as: text,
  on_error: text,
  on_empty: text,
  on_empty_value: text,
  timeout: addition(text),
};

export const DELEGATE = {
  skill: text,
  task: text,
  save_as: text,
  on_error: text,
  on_empty: text,
  on_empty_value: text,
  timeout: addition(text),
};

export const FOR_EACH = {
  in: text,
  as: text,
  steps,
  collect: text,
  max_iterations: integer,
  on_error: text,
  concurrency: addition(integer),
};

export const ASK_OPTION = { value: text, label: text };

export const ASK = {
  question: text,
  options: listOf(block(ASK_OPTION)),
  save_as: text,
  on_error: text,
  timeout: text,
  on_timeout: text,
  on_timeout_value: text,
};

export const STEP = {
  name: text,
  when: text,
  save_as: text,
  on_error: text,
  on_empty: text,
  on_empty_value: text,
  timeout: addition(text),
  // A step of a model.
  instruction: text,
  profile: text,
  tools: texts,
  on_server: text,
  model: text,
  sampling: block(SAMPLING),
  response_schema: json,
  one_of: texts,
  max_calls: integer,
  max_tool_errors: integer,
  on_empty_retries: integer,
  // The other kinds, one block each.
  call: block(CALL),
  delegate: block(DELEGATE),
  ask: addition(block(ASK)),
  set: block(SET),
  switch: block(SWITCH),
  if: block(IF),
  for_each: block(FOR_EACH),
  parallel: block(PARALLEL),
  exit: block(EXIT),
};

/** The kinds of a step that have a block of their own; `instruction` is the one that has none. */
export const BLOCK_KINDS = [
  'call',
  'delegate',
  'ask',
  'set',
  'switch',
  'if',
  'for_each',
  'parallel',
  'exit',
] as const;

/** Sampling keys are read beside their block too, only to say that they belong inside it. */
const STEP_AS_READ = { ...STEP, ...SAMPLING };
const PROFILE_AS_READ = { ...PROFILE, ...SAMPLING };

export const LIMITS = { generations: integer, calls: integer, tokens: integer, seconds: integer };

export const WORKFLOW = {
  tools: texts,
  vars: mapOf(text),
  assets: mapOf(block(ASSET)),
  profiles: mapOf(block(PROFILE_AS_READ)),
  limits: addition(block(LIMITS)),
  steps,
};

export const INCLUDE = { skill: text };
export const INLINE_TOOL = { name: text };
export const MCP_SOURCE = { server: text, tools: texts };

/** Where further tools come from (format 2.5.0); kept as JSON for the resolver. */
export const SOURCES = {
  includes: addition(listOf(jsonRecord(INCLUDE))),
  tool_refs: addition(texts),
  inline_tools: addition(listOf(jsonRecord(INLINE_TOOL))),
  mcp_sources: addition(listOf(jsonRecord(MCP_SOURCE))),
  agent_skills: addition(texts),
  overrides: addition(mapOf(json)),
};

/** The code of a skill whose control flow is code (format 2.5.0). */
export const CODE = { runtime: text, file: text, sha256: text, limits: block(LIMITS) };

export const SKILL = {
  skill_engine_version: text,
  skill_version: text,
  name: text,
  description: text,
  trigger_examples: texts,
  servers: texts,
  builtin_tools: texts,
  role: text,
  kind: text,
  temperature: number,
  disabled: flag,
  mode: text,
  playbook: text,
  workflow: block(WORKFLOW),
  code: addition(block(CODE)),
  meta: json,
  ...SOURCES,
};

const step: Field<RawStep, null> = {
  absent: null,
  read(node, place, reading) {
    const name = node.kind === 'map' ? node.entries.get('name')?.value : undefined;
    return stepBlock.read(node, atStep(place, name?.kind === 'text' ? textOf(name) : ''), reading);
  },
};
const stepBlock = block(STEP_AS_READ);
const stepList = listOf(step);

/** How a whole file is read. */
export const RAW_SKILL = block(SKILL);

/** A skill file as written: keys where the author put them, nothing folded. */
export type RawSkill = Block<typeof SKILL>;
export type RawWorkflow = Block<typeof WORKFLOW>;
export type RawAsset = Block<typeof ASSET>;
export type RawProfile = Block<typeof PROFILE_AS_READ>;
export type RawSampling = Block<typeof SAMPLING>;
export interface RawStep extends Block<typeof STEP_AS_READ> {}
