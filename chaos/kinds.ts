/**
 * Turns of the crash matrix, one for each kind of job that section 5.2 of the design makes a promise for. `{{key}}` is
 * unique to a turn, `{{file}}` counts what its tools did.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { skillDigest } from '@skillyard/program/supervisor';
import { TOOL_CLASS } from './tool-class.ts';

/** A small turn, and what it comes to. */
export interface Kind {
  readonly name: string;
  readonly skill: string;
  /** Workers that take part, beside the orchestrator. */
  readonly workers: readonly ('model' | 'tool')[];
  /** What a repeat of its calls may do; null when it makes none. */
  readonly effect: 'once' | 'repeatable' | null;
  /** Lines its tools write when nothing goes wrong. */
  readonly executions: number;
  /** Generations when nothing goes wrong. */
  readonly generations: number;
  /** What is kept besides of a turn that can be reopened. */
  readonly keeps?: readonly string[];
  /** Generations of a turn whose call was lost. */
  readonly generationsIfLost?: number;
  answer(key: string): string;
  /** The answer when the call was lost; absent when the turn then fails. */
  answerIfLost?(key: string): string;
}

/** @param seconds the turn's limit, if it has one */
export const skill = (name: string, steps: string, seconds?: number): string => `skill_engine_version: "2.5.0"
name: ${name}
description: A turn of the crash tests.
workflow:
  tools: [${TOOL_CLASS}]${seconds === undefined ? '' : `\n  limits: {seconds: ${seconds}}`}
  steps:
${steps
  .trim()
  .split('\n')
  .map((line) => `    ${line}`)
  .join('\n')}
`;

const call = (tool: string, line = '{{key}}'): string =>
  `call: {tool: "${TOOL_CLASS}:${tool}", args: {file: "{{file}}", line: "${line}"}, save_as: written}`;

/** What a step that lost its call leaves under `on_error: continue`. */
const LOST = 'ERROR: lost: its worker was not heard of any more while it ran, and it may not be run again';

/** The skill that others delegate to. */
export const HELPER = skill(
  'helper',
  '- {name: help, instruction: "Do {{input}}", tools: [], save_as: answer}',
);

export const GENERATE: Kind = {
  name: 'generate',
  skill: skill(
    'generate',
    `
- {name: think, instruction: "Think of {{key}}", tools: [], save_as: thought}
- {name: close, instruction: "Then {{thought}}", tools: [], save_as: answer}`,
  ),
  workers: ['model'],
  effect: null,
  executions: 0,
  generations: 2,
  answer: (key) => `Then Think of ${key}`,
};

export const ONCE: Kind = {
  name: 'once',
  skill: skill(
    'once',
    `
- name: post
  on_error: continue
  ${call('append')}
- {name: close, instruction: "For {{key}}: {{written}}", tools: [], save_as: answer}`,
  ),
  workers: ['tool'],
  effect: 'once',
  executions: 1,
  generations: 1,
  answer: (key) => `For ${key}: appended`,
  answerIfLost: (key) => `For ${key}: ${LOST}`,
};

/** A lost call under `on_error: abort` ends the turn. */
export const ONCE_ABORT: Kind = {
  name: 'once, abort',
  skill: skill(
    'once-abort',
    `
- name: post
  ${call('append')}
- {name: close, instruction: "For {{key}}: {{written}}", tools: [], save_as: answer}`,
  ),
  workers: ['tool'],
  effect: 'once',
  executions: 1,
  generations: 1,
  generationsIfLost: 0,
  answer: (key) => `For ${key}: appended`,
};

export const IDEMPOTENT: Kind = {
  name: 'idempotent',
  skill: skill(
    'idempotent',
    `
- name: put
  ${call('upsert')}
- {name: close, instruction: "For {{key}}: {{written}}", tools: [], save_as: answer}`,
  ),
  workers: ['tool'],
  effect: 'repeatable',
  executions: 1,
  generations: 1,
  answer: (key) => `For ${key}: written`,
};

/** A model that calls a tool which must not run twice. */
export const LOOP: Kind = {
  name: 'tool loop',
  skill: skill(
    'tool-loop',
    `
- name: work
  on_error: continue
  instruction: 'Use ${TOOL_CLASS}__append {"file": "{{file}}", "line": "{{key}}"}'
  tools: [${TOOL_CLASS}]
  save_as: answer`,
  ),
  workers: ['model', 'tool'],
  effect: 'once',
  executions: 1,
  generations: 2,
  generationsIfLost: 1,
  answer: () => 'the tool said "appended"',
  answerIfLost: () => LOST,
};

export const DELEGATE: Kind = {
  name: 'delegate',
  skill: skill('delegate', '- delegate: {skill: helper, task: "help {{key}}", save_as: answer}'),
  workers: ['model'],
  effect: null,
  executions: 0,
  generations: 1,
  answer: (key) => `Do help ${key}`,
};

/** Three calls at once. */
export const FAN_OUT: Kind = {
  name: 'fan-out',
  skill: skill(
    'fan-out',
    `
- name: each
  for_each:
    in: list
    as: item
    collect: got
    steps:
      - ${call('upsert', '{{key}} {{item}}')}
      - set: {var: got, value: "{{item}} {{written}}"}
- {name: close, instruction: "For {{key}}: {{got}}", tools: [], save_as: answer}`,
  ),
  workers: ['tool'],
  effect: 'repeatable',
  executions: 3,
  generations: 1,
  answer: (key) => `For ${key}: a written\n\nb written\n\nc written`,
};

/** A model and a tool at once. */
export const PARALLEL: Kind = {
  name: 'parallel',
  skill: skill(
    'parallel',
    `
- parallel:
    collect: got
    branches:
      - - {name: think, instruction: "Think of {{key}}", tools: [], save_as: thought}
      - - name: put
          ${call('upsert')}
- {name: close, instruction: "For {{key}}: {{thought}}, {{written}}", tools: [], save_as: answer}`,
  ),
  workers: ['model', 'tool'],
  effect: 'repeatable',
  executions: 1,
  generations: 2,
  answer: (key) => `For ${key}: Think of ${key}, written`,
};

/** The program of `CODE`. */
export const CODE_HOST = readFileSync(new URL('./code-host.mjs', import.meta.url));

/** A skill whose flow is code, with an action that must not run twice. */
export const CODE: Kind = {
  name: 'code',
  skill: `skill_engine_version: "2.5.0"
name: code
description: A turn of the crash tests.
mode: code
servers: []
code: {runtime: kit, file: host.mjs, sha256: ${createHash('sha256').update(CODE_HOST).digest('hex')}}
`,
  workers: ['tool'],
  effect: 'once',
  executions: 1,
  generations: 0,
  // Its journal.
  keeps: ['conversations'],
  answer: (key) => `For ${key}: appended`,
};

/** The folder of `PROGRAM`, but for its `skill.yaml`. */
export const PROGRAM_FOLDER = fileURLToPath(new URL('./program', import.meta.url));

/** A program, and its command, which must not run twice. */
export const PROGRAM: Kind = {
  ...CODE,
  name: 'program',
  skill: `skill_engine_version: "2.5.0"
name: program
description: A turn of the crash tests.
mode: code
code: {runtime: program, file: skill.json, sha256: ${(await skillDigest(PROGRAM_FOLDER)).replace('sha256:', '')}}
`,
};

/** The list that `FAN_OUT` walks. */
export const LIST = 'a\nb\nc';
