import { type JsonObject, parseDurationMs, type Sampling } from '@skillyard/contracts';
import { isBlank, trimSpace } from '../flow/white-space.ts';
import { splitToolRef } from '../flow/tool-ref.ts';
import type { CallStep, EmptyPolicy, InstructionStep, Step } from './ast.ts';
import { keysOf, type PositionAt } from './keys-of.ts';
import { DEFAULT_EMPTY_RETRIES, DEFAULT_MAX_ITERATIONS, emptyPolicyOf, errorPolicyOf } from './policies.ts';
import { BLOCK_KINDS, type RawSampling, type RawStep, SAMPLING } from './shapes.ts';

/** A step as it will run, with all that is nested in it. The step is folded and was found valid. */
export function buildStep(raw: RawStep, positionAt: PositionAt): Step {
  const common = commonOf(raw, positionAt);
  const list = (steps: readonly RawStep[] | null): readonly Step[] =>
    (steps ?? []).map((step) => buildStep(step, positionAt));
  const { ask, set, switch: choice, if: fork, for_each: loop, parallel, exit, delegate } = raw;

  if (!isBlank(raw.instruction)) return buildInstruction(raw, common);
  if (raw.call) return buildCall(raw, raw.call, common);
  if (delegate) {
    return {
      kind: 'delegate',
      skill: delegate.skill,
      task: delegate.task,
      onEmpty: onEmptyOf(delegate.on_empty),
      onEmptyValue: delegate.on_empty_value,
      timeoutMs: timeoutMsOf(delegate.timeout),
      ...common,
    };
  }
  if (ask) {
    return {
      kind: 'ask',
      question: ask.question,
      options: (ask.options ?? []).map(({ value, label }) => ({ value, label })),
      timeoutMs: timeoutMsOf(ask.timeout),
      onTimeout: ask.on_timeout === 'use' ? 'use' : 'fail',
      onTimeoutValue: ask.on_timeout_value,
      ...common,
    };
  }
  if (set) return { kind: 'set', variable: set.var, value: set.value, ...common };
  if (choice) {
    const cases = [...(choice.cases ?? [])].map(([value, steps]) => ({ value, steps: list(steps) }));
    return { kind: 'switch', variable: choice.var, cases, default: list(choice.default), ...common };
  }
  if (fork) return { kind: 'if', cond: fork.cond, then: list(fork.then), else: list(fork.else), ...common };
  if (loop) {
    return {
      kind: 'for_each',
      in: loop.in,
      as: loop.as,
      collect: loop.collect,
      maxIterations: loop.max_iterations || DEFAULT_MAX_ITERATIONS,
      concurrency: loop.concurrency ?? 0,
      steps: list(loop.steps),
      ...common,
    };
  }
  if (parallel) {
    return {
      kind: 'parallel',
      collect: parallel.collect,
      branches: (parallel.branches ?? []).map(list),
      ...common,
    };
  }
  return { kind: 'exit', reason: exit?.reason ?? '', ...common };
}

/** What every step has. Spread once and last: keys added after a spread cost an object its fast form (40 us, not 1). */
type Common = Pick<Step, 'name' | 'position' | 'keys' | 'when' | 'onError' | 'saveAs'>;

function commonOf(raw: RawStep, positionAt: PositionAt): Common {
  const { call, delegate, ask, for_each: loop, parallel } = raw;
  return {
    name: raw.name,
    position: positionAt(raw.node.offset),
    keys: keysOf([raw, ...BLOCK_KINDS.map((kind) => raw[kind])], positionAt),
    when: raw.when,
    onError:
      errorPolicyOf((call ?? delegate ?? ask ?? loop ?? parallel)?.on_error || raw.on_error) ?? 'abort',
    saveAs: (call ?? delegate ?? ask)?.save_as || raw.save_as,
  };
}

function buildInstruction(raw: RawStep, common: Common): InstructionStep {
  const onEmpty = onEmptyOf(raw.on_empty);
  const schema = raw.response_schema;
  return {
    kind: 'instruction',
    instruction: raw.instruction,
    tools: raw.tools,
    onServer: onServerOf(raw),
    model: raw.model,
    sampling: raw.sampling && samplingOf(raw.sampling),
    responseSchema: schema && Object.keys(schema).length > 0 ? schema : null,
    oneOf: raw.one_of,
    maxCalls: raw.max_calls ?? 0,
    maxToolErrors: raw.max_tool_errors ?? 0,
    onEmpty,
    onEmptyValue: raw.on_empty_value,
    onEmptyRetries: onEmpty === 'retry' ? raw.on_empty_retries || DEFAULT_EMPTY_RETRIES : 0,
    timeoutMs: timeoutMsOf(raw.timeout),
    ...common,
  };
}

function buildCall(raw: RawStep, call: NonNullable<RawStep['call']>, common: Common): CallStep {
  const ref = splitToolRef(call.tool);
  const args: JsonObject = call.args ?? {};
  return {
    kind: 'call',
    server: ref?.server ?? '',
    tool: ref?.tool ?? trimSpace(call.tool),
    onServer: onServerOf(raw),
    args,
    onEmpty: onEmptyOf(call.on_empty),
    onEmptyValue: call.on_empty_value,
    timeoutMs: timeoutMsOf(call.timeout),
    ...common,
  };
}

function onServerOf(raw: RawStep): string {
  return isBlank(raw.on_server) ? '' : raw.on_server;
}

/** An unknown policy is let through beside a delegate (spec section 14) and means the default. */
function onEmptyOf(text: string): EmptyPolicy {
  return emptyPolicyOf(text) ?? 'continue';
}

function timeoutMsOf(text: string): number {
  return parseDurationMs(text) ?? 0;
}

function samplingOf(raw: RawSampling): Sampling {
  const keys = (Object.keys(SAMPLING) as (keyof Sampling)[]).filter(
    (key) => raw[key] !== null && raw[key] !== '',
  );
  return Object.fromEntries(keys.map((key) => [key, raw[key]]));
}
