import { type Attributes, SpanKind } from '@opentelemetry/api';
import type { Config, GenerateJob, StepJob, StepResult } from '@skillyard/contracts';
import { GEN_AI, OPERATION } from './gen-ai.ts';
import { SKILLYARD } from './skillyard-attributes.ts';

/** What the configuration says of a model, for spans and metrics. */
export interface ModelFacts {
  readonly provider: string;
  readonly model: string;
}

/** What a model is called in metrics that the configuration does not have: any skill may name any number of them. */
export const OTHER = '_OTHER';

/** What the name that a step gives to its model stands for. */
export function modelFacts(name: string, config: Config): ModelFacts {
  const chosen = name === '' ? (config.default_model ?? onlyModel(config) ?? '') : name;
  const known = Object.hasOwn(config.models ?? {}, chosen) ? config.models?.[chosen] : undefined;
  if (known === undefined) return { provider: OTHER, model: chosen };
  return { provider: known.provider, model: 'model' in known ? known.model : chosen };
}

function onlyModel({ models = {} }: Config): string | undefined {
  const names = Object.keys(models);
  return names.length === 1 ? names[0] : undefined;
}

/** How the span of a job looks. */
export interface JobDescription {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: Attributes;
}

export function describeJob(job: StepJob, config: Config): JobDescription {
  switch (job.kind) {
    case 'generate': {
      const facts = modelFacts(job.model, config);
      return {
        name: `${OPERATION.chat} ${facts.model}`.trimEnd(),
        kind: SpanKind.CLIENT,
        attributes: generationAttributes(job, facts),
      };
    }
    case 'call':
      return {
        name: `${OPERATION.executeTool} ${job.tool}`,
        kind: SpanKind.CLIENT,
        attributes: {
          [GEN_AI.operation]: OPERATION.executeTool,
          [GEN_AI.tool]: job.tool,
          [SKILLYARD.server]: job.server,
        },
      };
    case 'asset':
      return { name: `fetch asset ${job.name}`, kind: SpanKind.CLIENT, attributes: {} };
    case 'memory':
      return { name: 'read memory', kind: SpanKind.INTERNAL, attributes: {} };
    case 'delegate':
    case 'decide':
    case 'ask':
      return { name: job.kind, kind: SpanKind.INTERNAL, attributes: {} };
  }
}

function generationAttributes({ conversation, sampling }: GenerateJob, facts: ModelFacts): Attributes {
  const { temperature, top_p: topP, max_tokens: maxTokens } = sampling ?? {};
  return {
    [GEN_AI.operation]: OPERATION.chat,
    [GEN_AI.provider]: facts.provider,
    [GEN_AI.requestModel]: facts.model,
    [GEN_AI.conversation]: conversation,
    ...(temperature !== undefined && { [GEN_AI.temperature]: temperature }),
    ...(topP !== undefined && { [GEN_AI.topP]: topP }),
    ...(maxTokens !== undefined && { [GEN_AI.maxTokens]: maxTokens }),
  };
}

/** What a generation came to, without what it said. */
export function generationResult(result: StepResult): Attributes {
  const { usage, status, toolRequests = [] } = result;
  const reason = status === 'truncated' ? 'length' : toolRequests.length > 0 ? 'tool_call' : 'stop';
  const isThere = status === 'ok' || status === 'empty' || status === 'truncated';
  return {
    ...(isThere && { [GEN_AI.finishReasons]: [reason] }),
    ...(usage && {
      [GEN_AI.inputTokens]: usage.inputTokens,
      [GEN_AI.outputTokens]: usage.outputTokens,
    }),
  };
}
