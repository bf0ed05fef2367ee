import type { Json, JsonObject } from '@skillyard/contracts';
import type { Asset, Code, Limits, Skill, Step, Workflow } from './ast.ts';
import { isRuntime } from './check-code.ts';
import { buildStep } from './build-step.ts';
import { keysOf, type PositionAt } from './keys-of.ts';
import { type RawAsset, type RawSkill, type RawStep, type RawWorkflow, SOURCES } from './shapes.ts';

/**
 * The skill as it will run.
 * @param raw the file as read
 * @param workflow its workflow, or null when it has none that can run
 */
export function buildSkill(raw: RawSkill, workflow: Workflow | null, positionAt: PositionAt): Skill {
  return {
    formatVersion: raw.skill_engine_version,
    skillVersion: raw.skill_version,
    name: raw.name,
    description: raw.description,
    triggerExamples: raw.trigger_examples ?? [],
    servers: raw.servers ?? [],
    builtinTools: raw.builtin_tools ?? [],
    role: raw.role,
    kind: raw.kind,
    temperature: raw.temperature,
    disabled: raw.disabled,
    declaredMode: raw.mode,
    playbook: raw.playbook,
    workflow,
    code: buildCode(raw),
    meta: raw.meta ?? {},
    sources: sourcesOf(raw),
    keys: keysOf([raw, raw.workflow], positionAt),
  };
}

/**
 * The workflow as it will run.
 * @param raw the workflow as read
 * @param steps its steps, folded and found valid
 */
export function buildWorkflow(raw: RawWorkflow, steps: readonly RawStep[], positionAt: PositionAt): Workflow {
  return {
    tools: raw.tools,
    vars: raw.vars ?? new Map<string, string>(),
    assets: new Map([...(raw.assets ?? [])].map(([name, asset]) => [name, buildAsset(asset, positionAt)])),
    limits: buildLimits(raw.limits),
    steps: steps.map((step): Step => buildStep(step, positionAt)),
  };
}

function buildAsset(raw: RawAsset, positionAt: PositionAt): Asset {
  return {
    position: positionAt(raw.node.offset),
    kind: raw.kind,
    source: raw.source,
    content: raw.content,
    ref: raw.ref,
    args: raw.args ?? {},
    params: raw.params ?? {},
    deliver: raw.deliver,
    description: raw.description,
    fetch: raw.fetch && {
      ttlMs: raw.fetch.ttl,
      timeoutMs: raw.fetch.timeout,
      retries: Math.max(0, raw.fetch.retries ?? 0),
      onUnavailable: unavailablePolicyOf(raw.fetch.on_unavailable),
    },
  };
}

function unavailablePolicyOf(text: string): 'fail' | 'stale' | 'empty' {
  return text === 'stale' || text === 'empty' ? text : 'fail';
}

function buildCode({ name, code }: RawSkill): Code | null {
  return (
    code && {
      ref: { runtime: isRuntime(code.runtime) ? code.runtime : 'kit', name, sha256: code.sha256 },
      file: code.file,
      limits: buildLimits(code.limits),
    }
  );
}

function buildLimits(raw: RawWorkflow['limits']): Limits | null {
  return (
    raw && {
      generations: raw.generations ?? 0,
      calls: raw.calls ?? 0,
      tokens: raw.tokens ?? 0,
      seconds: raw.seconds ?? 0,
    }
  );
}

function sourcesOf(raw: RawSkill): JsonObject {
  const result: JsonObject = {};
  for (const key of Object.keys(SOURCES) as (keyof typeof SOURCES)[]) {
    const value = raw[key];
    if (value !== null) result[key] = (value instanceof Map ? Object.fromEntries(value) : value) as Json;
  }
  return result;
}
