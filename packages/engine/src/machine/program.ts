/**
 * A program: a workflow, or a playbook, compiled for the machine.
 *
 * Step lists are numbered, so that a position in a flow is a pair of small numbers and a turn's state never holds any of
 * its skill. Templates, conditions and references are parsed here, once. The same skill text always compiles to the same
 * numbers: a turn may be picked up by another process.
 */
import type { AssetSource, CodeRef, JsonObject, Sampling } from '@skillyard/contracts';
import { type ArgumentsPlan, compileArguments, isConstantPlan } from '../flow/arguments.ts';
import { type Condition, parseCondition } from '../flow/condition.ts';
import { analyseLoop, type LoopAnalysis } from '../flow/loop-analysis.ts';
import { parseReference, type Reference } from '../flow/reference.ts';
import { parseTemplate, type Template } from '../flow/template.ts';
import { splitToolRef } from '../flow/tool-ref.ts';
import type {
  Asset,
  EmptyPolicy,
  ErrorPolicy,
  Limits,
  Skill,
  Step,
  StepOf,
  Workflow,
} from '../format/ast.ts';
import { boundsRadius, hasSources } from '../format/sources.ts';

interface CodeCommon {
  readonly name: string;
  /** What messages call it. */
  readonly label: string;
  /** What the trace calls it. */
  readonly traceName: string;
  readonly when: Condition | null;
  readonly onError: ErrorPolicy;
  readonly saveAs: string;
}

/** How a step treats a blank result. */
interface EmptyCode {
  readonly onEmpty: EmptyPolicy;
  readonly onEmptyValue: Template | null;
}

export interface InstructionCode extends CodeCommon, EmptyCode {
  readonly kind: 'instruction';
  /** What the model is told before the text, as it is; empty but for a playbook. */
  readonly system: string;
  /** null: the variables the turn was given, as a playbook is asked. */
  readonly text: Template | null;
  readonly onServer: Template | null;
  /** The radius without `on_server`, already narrowed. */
  readonly tools: readonly string[] | null;
  readonly model: string;
  readonly sampling: Sampling | null;
  readonly responseSchema: JsonObject | null;
  readonly oneOf: readonly string[] | null;
  readonly maxCalls: number;
  readonly maxToolErrors: number;
  readonly onEmptyRetries: number;
  readonly timeoutMs: number;
  /** Where it goes on in a conversation that others are part of as well, and its earlier generations there; absent: one of its own. */
  readonly talk?: { readonly conversation: string; readonly round: number; readonly earlier: number };
}

export interface CallCode extends CodeCommon, EmptyCode {
  readonly kind: 'call';
  readonly server: string;
  readonly tool: string;
  readonly onServer: Template | null;
  readonly args: ArgumentsPlan;
  readonly timeoutMs: number;
}

export interface DelegateCode extends CodeCommon, EmptyCode {
  readonly kind: 'delegate';
  readonly skill: string;
  readonly task: Template;
  readonly timeoutMs: number;
}

export interface AskCode extends CodeCommon {
  readonly kind: 'ask';
  readonly question: Template;
  readonly options: readonly { readonly value: string; readonly label: Template }[];
  readonly timeoutMs: number;
  readonly onTimeout: 'fail' | 'use';
  readonly onTimeoutValue: Template;
}

export interface SetCode extends CodeCommon {
  readonly kind: 'set';
  readonly variable: string;
  readonly value: Template;
}

export interface SwitchCode extends CodeCommon {
  readonly kind: 'switch';
  /** null when the text is no reference: then the value is empty. */
  readonly variable: Reference | null;
  readonly cases: readonly { readonly value: string; readonly list: number; readonly segment: string }[];
  readonly defaultList: number;
}

export interface IfCode extends CodeCommon {
  readonly kind: 'if';
  readonly cond: Condition;
  readonly thenList: number;
  readonly elseList: number;
}

export interface ForEachCode extends CodeCommon {
  readonly kind: 'for_each';
  readonly in: string;
  /** null when the text is no reference: then it is the plain name of a variable. */
  readonly source: Reference | null;
  readonly as: string;
  readonly collect: string;
  readonly maxIterations: number;
  readonly concurrency: number;
  readonly body: number;
  readonly analysis: LoopAnalysis;
}

export interface ParallelCode extends CodeCommon {
  readonly kind: 'parallel';
  readonly collect: string;
  readonly branches: readonly number[];
}

export interface ExitCode extends CodeCommon {
  readonly kind: 'exit';
  readonly reason: Template;
}

/** The whole of a turn whose control flow is code. */
export interface CodeCode extends CodeCommon {
  readonly kind: 'code';
  readonly ref: CodeRef;
}

export type StepCode =
  | InstructionCode
  | CallCode
  | DelegateCode
  | AskCode
  | SetCode
  | SwitchCode
  | IfCode
  | ForEachCode
  | ParallelCode
  | ExitCode
  | CodeCode;

/** A declared asset, as jobs and arguments need it. */
export interface AssetCode {
  readonly index: number;
  readonly source: AssetSource;
  /** Its args, when a variable decides about them; null when `source` has them as they are sent. */
  readonly args: ArgumentsPlan | null;
  readonly deliver: string;
  /** The server it is read from, for the sources that call one. */
  readonly server: string | null;
  /** The tool of that server. */
  readonly tool: string;
}

/** Where the tools of a program come from, beside its own list (format 2.5.0). */
export interface ProgramSources {
  /** The header keys, for who resolves them before a turn starts. */
  readonly header: JsonObject;
  /** The program lists no servers itself: what the sources come to is its radius, and not only a bound of it. */
  readonly alone: boolean;
}

export interface Program {
  readonly kind: 'flow';
  readonly name: string;
  readonly tools: readonly string[] | null;
  readonly sources: ProgramSources | null;
  readonly vars: ReadonlyMap<string, string>;
  readonly assets: ReadonlyMap<string, AssetCode>;
  readonly limits: Limits | null;
  /** Numbered step lists; 0 is the flow itself. An empty list has a number too. */
  readonly lists: readonly (readonly StepCode[])[];
}

/**
 * Compiles the workflow of a validated skill.
 * @throws RangeError if the skill has no workflow; callers resolve the mode first
 */
export function compileWorkflow(skill: Skill): Program {
  if (skill.workflow === null) throw new RangeError(`skill "${skill.name}" has no workflow to compile`);
  return new Compiler(skill, skill.workflow).compile();
}

class Compiler {
  readonly #name: string;
  readonly #workflow: Workflow;
  readonly #sources: ProgramSources | null;
  readonly #lists: StepCode[][] = [];

  constructor({ name, sources }: Skill, workflow: Workflow) {
    this.#name = name;
    this.#workflow = workflow;
    this.#sources = programSources(sources, workflow.tools === null);
  }

  compile(): Program {
    this.#list(this.#workflow.steps);
    let index = 0;
    const assets = new Map<string, AssetCode>();
    for (const [name, asset] of this.#workflow.assets) assets.set(name, compileAsset(asset, index++));
    return {
      kind: 'flow',
      name: this.#name,
      tools: this.#workflow.tools,
      sources: this.#sources,
      vars: this.#workflow.vars,
      assets,
      limits: this.#workflow.limits,
      lists: this.#lists,
    };
  }

  /** Numbers a list before its steps are compiled, so that the root is 0. */
  #list(steps: readonly Step[]): number {
    const list: StepCode[] = [];
    const number = this.#lists.push(list) - 1;
    for (const step of steps) list.push(this.#step(step));
    return number;
  }

  #step(step: Step): StepCode {
    const common: CodeCommon = {
      name: step.name,
      label: step.name === '' ? 'unnamed' : step.name,
      traceName: step.name === '' ? step.kind : step.name,
      when: step.when === '' ? null : condition(step.when),
      onError: step.onError,
      saveAs: step.saveAs,
    };
    switch (step.kind) {
      case 'instruction':
        return { ...common, ...emptyCode(step), ...this.#instruction(step) };
      case 'call':
        return {
          ...common,
          ...emptyCode(step),
          kind: 'call',
          server: step.server,
          tool: step.tool,
          onServer: optionalTemplate(step.onServer),
          args: compileArguments(step.args),
          timeoutMs: step.timeoutMs,
        };
      case 'delegate':
        return {
          ...common,
          ...emptyCode(step),
          kind: 'delegate',
          skill: step.skill,
          task: parseTemplate(step.task),
          timeoutMs: step.timeoutMs,
        };
      case 'ask':
        return {
          ...common,
          kind: 'ask',
          question: parseTemplate(step.question),
          options: step.options.map((option) => ({
            value: option.value,
            label: parseTemplate(option.label),
          })),
          timeoutMs: step.timeoutMs,
          onTimeout: step.onTimeout,
          onTimeoutValue: parseTemplate(step.onTimeoutValue),
        };
      case 'set':
        return { ...common, kind: 'set', variable: step.variable, value: parseTemplate(step.value) };
      case 'exit':
        return { ...common, kind: 'exit', reason: parseTemplate(step.reason) };
      default:
        return { ...common, ...this.#block(step) };
    }
  }

  #instruction(step: StepOf<'instruction'>): Omit<InstructionCode, keyof CodeCommon | keyof EmptyCode> {
    return {
      kind: 'instruction',
      system: '',
      text: parseTemplate(step.instruction),
      onServer: optionalTemplate(step.onServer),
      // A list that only the sources bound is narrowed when they have been resolved.
      tools: this.#sources?.alone === true ? step.tools : narrow(this.#workflow.tools, step.tools),
      model: step.model,
      sampling: step.sampling,
      responseSchema: step.responseSchema,
      oneOf: step.oneOf,
      maxCalls: step.maxCalls,
      maxToolErrors: step.maxToolErrors,
      onEmptyRetries: step.onEmptyRetries,
      timeoutMs: step.timeoutMs,
    };
  }

  #block(step: StepOf<'switch' | 'if' | 'for_each' | 'parallel'>): BlockCode {
    switch (step.kind) {
      case 'switch':
        return {
          kind: 'switch',
          variable: parseReference(step.variable) ?? null,
          cases: step.cases.map((branch, index) => ({
            value: branch.value,
            list: this.#list(branch.steps),
            segment: `c${index}`,
          })),
          defaultList: this.#list(step.default),
        };
      case 'if':
        return {
          kind: 'if',
          cond: condition(step.cond),
          thenList: this.#list(step.then),
          elseList: this.#list(step.else),
        };
      case 'for_each':
        return {
          kind: 'for_each',
          in: step.in,
          source: parseReference(step.in) ?? null,
          as: step.as,
          collect: step.collect,
          maxIterations: step.maxIterations,
          concurrency: step.concurrency,
          body: this.#list(step.steps),
          analysis: analyseLoop(
            step,
            this.#workflow,
            this.#sources?.alone === true ? 'later' : this.#workflow.tools,
          ),
        };
      case 'parallel':
        return {
          kind: 'parallel',
          collect: step.collect,
          branches: step.branches.map((branch) => this.#list(branch)),
        };
    }
  }
}

type BlockCode =
  | Omit<SwitchCode, keyof CodeCommon>
  | Omit<IfCode, keyof CodeCommon>
  | Omit<ForEachCode, keyof CodeCommon>
  | Omit<ParallelCode, keyof CodeCommon>;

/** Validation has parsed every condition before, so a failure here is ours. */
function condition(text: string): Condition {
  const parsed = parseCondition(text);
  if (!parsed.ok) throw new RangeError(`not a validated condition: ${parsed.message}`);
  return parsed.condition;
}

function optionalTemplate(text: string): Template | null {
  return text === '' ? null : parseTemplate(text);
}

function emptyCode(step: StepOf<'instruction' | 'call' | 'delegate'>): EmptyCode {
  return {
    onEmpty: step.onEmpty,
    onEmptyValue: step.onEmpty === 'use' ? parseTemplate(step.onEmptyValue) : null,
  };
}

/**
 * @param sources the keys of the header
 * @param listsNone whether the program itself lists no servers
 */
export function programSources(sources: JsonObject, listsNone: boolean): ProgramSources | null {
  return hasSources(sources) ? { header: sources, alone: listsNone && boundsRadius(sources) } : null;
}

/** A step only ever narrows what the flow lists (spec section 8). */
function narrow(flow: readonly string[] | null, step: readonly string[] | null): readonly string[] | null {
  if (step === null) return flow;
  return step.filter((server) => flow?.includes(server) ?? false);
}

function compileAsset(asset: Asset, index: number): AssetCode {
  // The one source that takes arguments: what others ignore must not make two assets out of one.
  const args = compileArguments(asset.source === 'mcp' ? asset.args : {});
  return {
    index,
    source: {
      kind: asset.kind,
      source: asset.source,
      content: asset.content,
      ref: asset.ref,
      args: asset.args,
      params: asset.params,
      fetch: asset.fetch,
    },
    args: isConstantPlan(args) ? null : args,
    deliver: asset.deliver,
    server: asset.source === 'mcp' ? (splitToolRef(asset.ref)?.server ?? '') : null,
    tool: splitToolRef(asset.ref)?.tool ?? '',
  };
}
