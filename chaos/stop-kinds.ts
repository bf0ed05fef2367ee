/** Turns that are held up in one job for some seconds, so that they can be stopped in the middle of it. */
import { type Kind, skill } from './kinds.ts';
import { TOOL_CLASS } from './tool-class.ts';
import { HELD_MS, HOLD } from './world.ts';

export interface HeldKind extends Pick<Kind, 'name' | 'skill'> {
  /** What it waits for: a call that writes `start` into its file, or a generation. */
  readonly waitsFor: 'call' | 'generation';
  /** Whether a turn it delegated to is what waits. */
  readonly delegates: boolean;
}

/** What a test adds to the name of a turn's file, to let a gated call go on. */
export const GATE_SUFFIX = '.gate';

const CALL = `name: post
  call: {tool: "${TOOL_CLASS}:slow", args: {file: "{{file}}", ms: "{{ms}}"}, save_as: written}`;
const held = (steps: string): string => `- {set: {var: ms, value: "${HELD_MS}"}}\n${steps}`;

/** A turn is over this many seconds after its start: before what it waits for is. */
const SECONDS = 2;

/** A call that must not run twice. */
export const HELD_CALL: HeldKind = {
  name: 'held call',
  skill: skill('held-call', held(`- ${CALL}`)),
  waitsFor: 'call',
  delegates: false,
};

/** A call that may be repeated, held until there is a file beside the one it counts in. */
const GATE = `- name: put
  call: {tool: "${TOOL_CLASS}:gate", args: {file: "{{file}}", gate: "{{file}}${GATE_SUFFIX}"}, save_as: written}`;

export const HELD_REPEATABLE: HeldKind = {
  ...HELD_CALL,
  name: 'held repeatable call',
  skill: skill('held-repeatable', GATE),
};

export const HELD_GENERATION: HeldKind = {
  name: 'held generation',
  skill: skill('held-generation', `- {instruction: "${HOLD} {{key}}", tools: [], save_as: answer}`),
  waitsFor: 'generation',
  delegates: false,
};

/** A delegated turn that is held in a generation. */
export const HELD_CHILD: HeldKind = {
  name: 'held delegate',
  skill: skill('held-delegate', `- delegate: {skill: helper, task: "${HOLD} {{key}}", save_as: answer}`),
  waitsFor: 'generation',
  delegates: true,
};

export const LIMITED_CALL: HeldKind = {
  ...HELD_CALL,
  name: 'limited call',
  skill: skill('limited-call', held(`- ${CALL}`), SECONDS),
};

export const LIMITED_CHILD: HeldKind = {
  ...HELD_CHILD,
  name: 'limited delegate',
  skill: skill('limited-delegate', `- delegate: {skill: helper, task: "${HOLD} {{key}}"}`, SECONDS),
};

/** Steps with a timeout: of a worker's job, and of one that the orchestrator watches. */
export const TIMED_CALL: HeldKind = {
  ...HELD_CALL,
  name: 'timed call',
  skill: skill('timed-call', held(`- ${CALL}\n  timeout: 1s`)),
};

export const TIMED_REPEATABLE: HeldKind = {
  ...HELD_CALL,
  name: 'timed repeatable call',
  skill: skill('timed-repeatable', `${GATE}\n  timeout: 1s`),
};

export const TIMED_GENERATION: HeldKind = {
  ...HELD_GENERATION,
  name: 'timed generation',
  skill: skill('timed-generation', `- {instruction: "${HOLD} {{key}}", tools: [], timeout: 1s}`),
};

export const TIMED_CHILD: HeldKind = {
  ...HELD_CHILD,
  name: 'timed delegate',
  skill: skill('timed-delegate', `- {delegate: {skill: helper, task: "${HOLD} {{key}}"}, timeout: 1s}`),
};
