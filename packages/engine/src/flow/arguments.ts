/**
 * The arguments of a call (spec section 7): every string is expanded, however deep; keys, numbers and the like stay.
 *
 * A value held by handle is not fetched here. The string that holds it becomes a {@link Fill}, and the worker that
 * makes the call puts the whole value in, so that it never enters the state or a job.
 */
import type { Fill, FillPart, Json, JsonObject } from '@skillyard/contracts';
import { bounded } from './bounds.ts';
import type { Environment } from './environment.ts';
import { splitNotes, trimNotes } from './notes.ts';
import { readWholeReference } from './payload.ts';
import { readReference } from './reference.ts';
import { parseTemplate, type Template } from './template.ts';

type PlanNode =
  | { readonly kind: 'constant'; readonly value: Json }
  | { readonly kind: 'text'; readonly template: Template }
  | { readonly kind: 'asset'; readonly name: string }
  | { readonly kind: 'list'; readonly items: readonly PlanNode[] }
  | { readonly kind: 'object'; readonly entries: PlanEntries };

type PlanEntries = readonly (readonly [key: string, node: PlanNode])[];

/** Arguments with their texts parsed and their constant parts kept as they are. */
export interface ArgumentsPlan {
  readonly entries: PlanEntries;
}

/** Arguments ready for a job. */
export interface ExpandedArguments {
  /** Constant parts are shared with the plan: read it, do not change it. */
  readonly args: JsonObject;
  /** The strings that hold values by handle. In `args` they hold what is used when a handle cannot be read. */
  readonly fill: Fill[];
  /** The assets passed by reference, in order. Only this form carries an asset's route. */
  readonly deliver: string[];
}

/** Arguments for work that reads no values by handle. */
interface WholeArguments {
  readonly args: JsonObject;
  /** The first reference whose whole value could not be read; empty when all could. */
  readonly unreachable: string;
}

/** Parses the arguments of a call once. */
export function compileArguments(args: JsonObject): ArgumentsPlan {
  return { entries: Object.entries(args).map(([key, value]) => [key, compileNode(value)]) };
}

/**
 * Puts the values in.
 * @throws SkillyardError VALUE_TOO_LARGE, and REFERENCE_UNRESOLVED if a path leads nowhere where that is an error
 */
export function expandArguments(plan: ArgumentsPlan, env: Environment): ExpandedArguments {
  const expansion = new Expansion(env, 'by-handle');
  return { args: expansion.object(plan.entries), fill: expansion.fill, deliver: expansion.deliver };
}

/**
 * Puts the values in, whole ones also where a variable holds a handle.
 * @throws SkillyardError VALUE_TOO_LARGE, and REFERENCE_UNRESOLVED if a path leads nowhere where that is an error
 */
export function expandWholeArguments(plan: ArgumentsPlan, env: Environment): WholeArguments {
  const expansion = new Expansion(env, 'whole');
  return { args: expansion.object(plan.entries), unreachable: expansion.unreachable };
}

/** Whether arguments are the same whatever the variables hold. */
export function isConstantPlan(plan: ArgumentsPlan): boolean {
  return plan.entries.every(([, node]) => isConstant(node));
}

/**
 * Puts whole values into a string, where the call is made.
 * @param read the whole value behind a handle, undefined when it cannot be read
 * @param notes truncation notes, cut from the end of a whole value as well
 * @returns the text, and the handles whose fragment had to do
 */
export function joinFill(
  parts: readonly FillPart[],
  read: (handle: string) => string | undefined,
  notes: readonly string[],
): { text: string; unread: string[] } {
  let text = '';
  const unread: string[] = [];
  for (const part of parts) {
    if ('text' in part) {
      text += part.text;
      continue;
    }
    const whole = read(part.handle);
    if (whole === undefined) unread.push(part.handle);
    text += whole === undefined ? part.otherwise : trimNotes(whole, notes);
  }
  return { text, unread };
}

/** The assets that arguments pass by reference, past any model, in order. */
export function argumentAssetRefs(args: JsonObject): string[] {
  const names: string[] = [];
  const collect = (node: PlanNode): void => {
    if (node.kind === 'asset') names.push(node.name);
    else if (node.kind === 'list') for (const item of node.items) collect(item);
    else if (node.kind === 'object') for (const [, value] of node.entries) collect(value);
  };
  for (const [, node] of compileArguments(args).entries) collect(node);
  return names;
}

function compileNode(value: Json): PlanNode {
  if (typeof value === 'string') {
    const template = parseTemplate(value);
    return template.parts.every((part) => typeof part === 'string')
      ? { kind: 'constant', value }
      : { kind: 'text', template };
  }
  if (value === null || typeof value !== 'object') return { kind: 'constant', value };
  if (Array.isArray(value)) {
    const items = value.map(compileNode);
    return items.every(isConstant) ? { kind: 'constant', value } : { kind: 'list', items };
  }
  const asset = referencedAsset(value);
  if (asset !== undefined) return { kind: 'asset', name: asset };
  const { entries } = compileArguments(value);
  return entries.every(([, node]) => isConstant(node))
    ? { kind: 'constant', value }
    : { kind: 'object', entries };
}

function isConstant(node: PlanNode): boolean {
  return node.kind === 'constant';
}

/** The name in `{from: "asset:name"}`; beside another key `from` means nothing. */
function referencedAsset(value: JsonObject): string | undefined {
  const { from } = value;
  if (typeof from !== 'string' || !from.startsWith('asset:') || Object.keys(value).length !== 1)
    return undefined;
  return from.slice('asset:'.length);
}

/** One expansion under way: what it has found so far, and where it stands. */
class Expansion {
  readonly fill: Fill[] = [];
  readonly deliver: string[] = [];
  unreachable = '';
  readonly #env: Environment;
  readonly #form: 'by-handle' | 'whole';
  readonly #at: (string | number)[] = [];

  constructor(env: Environment, form: 'by-handle' | 'whole') {
    this.#env = env;
    this.#form = form;
  }

  /** `fromEntries` defines keys, so that one named `__proto__` stays a key. */
  object(entries: PlanEntries): JsonObject {
    return Object.fromEntries(entries.map(([key, node]) => [key, this.#below(key, node)]));
  }

  #below(key: string | number, node: PlanNode): Json {
    if (node.kind === 'constant') return node.value;
    this.#at.push(key);
    const value = this.#node(node);
    this.#at.pop();
    return value;
  }

  #node(node: Exclude<PlanNode, { kind: 'constant' }>): Json {
    switch (node.kind) {
      case 'text':
        return this.#text(node.template);
      case 'asset':
        this.deliver.push(node.name);
        return this.#env.asset(node.name) ?? '';
      case 'list':
        return node.items.map((item, index) => this.#below(index, item));
      case 'object':
        return this.object(node.entries);
    }
  }

  #text(template: Template): string {
    const parts: FillPart[] = [];
    let literal = '';
    let fallback = '';
    for (const part of template.parts) {
      if (typeof part === 'string') {
        literal += part;
      } else if ('asset' in part) {
        literal += this.#env.asset(part.asset) ?? '';
      } else if (this.#form === 'whole') {
        const whole = readWholeReference(part.ref, this.#env);
        literal += whole.text;
        if (whole.unread !== '') this.unreachable ||= part.ref.text;
      } else {
        const { body, handle } = splitNotes(
          readReference(part.ref, this.#env),
          this.#env.vocabulary.truncationNotes,
        );
        if (handle === '') {
          literal += body;
        } else {
          if (literal !== '') parts.push({ text: literal });
          parts.push({ handle, otherwise: body });
          fallback += literal + body;
          literal = '';
        }
      }
    }
    if (parts.length > 0) {
      if (literal !== '') parts.push({ text: literal });
      this.fill.push({ at: [...this.#at], parts });
    }
    return bounded(fallback + literal);
  }
}
