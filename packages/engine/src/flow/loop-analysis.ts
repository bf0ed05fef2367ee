/**
 * Whether the iterations of a loop can run at once with the answer of the sequential run.
 *
 * A body is independent when it reads only the item, what was set before the loop and what the same iteration wrote.
 * Proved by a walk over the body with the set of variables that this iteration has surely written: a read of a variable
 * that the body writes somewhere, and that is not in the set, may see another iteration's value. The walk is
 * conservative: a step that may be skipped or fail softly has not surely written anything.
 */
import { type Asset, type ForEachStep, nestedLists, type Step, type Workflow } from '../format/ast.ts';
import { argumentAssetRefs } from './arguments.ts';
import { conditionReferences, parseCondition } from './condition.ts';
import { parseReference, type Reference } from './reference.ts';
import { stepTexts, stringsIn } from './step-texts.ts';
import { parseTemplate } from './template.ts';

/** What the description alone says about a loop. */
export interface LoopAnalysis {
  /** A variable that one iteration writes and another may read; null when the body is independent. */
  readonly shared: string | null;
  /** Whether anything in the body is done outside the machine. */
  readonly outside: boolean;
  readonly exits: boolean;
  readonly delegates: boolean;
  /** Tools the body calls; an empty server is one chosen at run time. */
  readonly calls: readonly { readonly server: string; readonly tool: string }[];
  /** Servers that models of the body may reach; an empty one is chosen at run time. */
  readonly modelServers: readonly string[];
}

type FlowServers = readonly string[] | null | 'later';

/**
 * Analyses the body of a loop.
 * @param servers those of the flow; `later` when they are only known at the start of a turn, from the header's sources
 */
export function analyseLoop(
  loop: ForEachStep,
  workflow: Workflow,
  servers: FlowServers = workflow.tools,
): LoopAnalysis {
  const steps = [...allSteps(loop.steps)];
  return {
    shared: findShared(loop, steps, workflow.assets),
    outside: steps.some((step) => OUTSIDE.has(step.kind)),
    exits: steps.some((step) => step.kind === 'exit'),
    delegates: steps.some((step) => step.kind === 'delegate'),
    calls: steps.flatMap((step) => {
      if (step.kind !== 'call') return [];
      if (step.onServer === '') return [{ server: step.server, tool: step.tool }];
      return [{ server: step.onServer.includes('{{') ? '' : step.onServer, tool: step.tool }];
    }),
    modelServers: [...new Set(steps.flatMap((step) => modelServers(step, servers)))],
  };
}

const OUTSIDE: ReadonlySet<Step['kind']> = new Set(['instruction', 'call', 'delegate', 'ask']);

function* allSteps(steps: readonly Step[]): Generator<Step> {
  for (const step of steps) {
    yield step;
    for (const list of nestedLists(step)) yield* allSteps(list);
  }
}

function modelServers(step: Step, servers: FlowServers): readonly string[] {
  if (step.kind !== 'instruction') return [];
  if (step.onServer !== '') return [step.onServer.includes('{{') ? '' : step.onServer];
  if (servers === 'later') return step.tools ?? [''];
  if (step.tools === null) return servers ?? [];
  return step.tools.filter((server) => servers?.includes(server) ?? false);
}

function findShared(
  loop: ForEachStep,
  steps: readonly Step[],
  assets: ReadonlyMap<string, Asset>,
): string | null {
  const written = new Set(steps.flatMap((step) => writtenVariables(step)));
  written.add(loop.as);
  if (loop.collect !== '') written.add(loop.collect);
  const walk = new Walk(written, assets);
  walk.list(loop.steps, new Set([loop.as, ...(loop.collect === '' ? [] : [loop.collect])]));
  return walk.shared;
}

/** Every variable a step itself may write. A handle is written and removed with its variable. */
export function writtenVariables(step: Step): readonly string[] {
  const note = step.saveAs === '' ? [] : [step.saveAs];
  switch (step.kind) {
    case 'instruction':
    case 'ask':
      return step.saveAs === '' ? ['answer'] : note;
    case 'set':
      return [step.variable, ...note];
    case 'for_each':
      return [step.as, ...(step.collect === '' ? [] : [step.collect]), ...note];
    case 'parallel':
      return [...(step.collect === '' ? [] : [step.collect, `${step.collect}.skipped`]), ...note];
    default:
      return note;
  }
}

/** Variables an iteration has surely written. */
type Sure = ReadonlySet<string>;

class Walk {
  readonly #written: ReadonlySet<string>;
  readonly #assets: ReadonlyMap<string, Asset>;
  readonly #assetReads = new Map<string, ReadonlySet<string>>();
  shared: string | null = null;

  constructor(written: ReadonlySet<string>, assets: ReadonlyMap<string, Asset>) {
    this.#written = written;
    this.#assets = assets;
  }

  /** @returns what is surely written when the list has ended, whichever way it ended */
  list(steps: readonly Step[], before: Sure): Sure {
    let sure = before;
    let atEnd: Sure | null = null;
    for (const step of steps) {
      // A skip ends the list here: what follows in the list does not count for what comes after it.
      if (step.onError === 'skip') atEnd = both(atEnd, sure);
      sure = this.#step(step, sure);
    }
    return both(atEnd, sure);
  }

  #step(step: Step, sure: Sure): Sure {
    if (step.when !== '') this.#condition(step.when, sure);
    const after = this.#body(step, sure);
    return step.when === '' ? after : sure;
  }

  #body(step: Step, sure: Sure): Sure {
    for (const { text } of stepTexts(step)) this.#template(text, sure);
    if (step.kind === 'call') for (const asset of argumentAssetRefs(step.args)) this.#asset(asset, sure);
    switch (step.kind) {
      case 'instruction':
      case 'ask':
        return step.saveAs === '' && step.onError === 'continue'
          ? sure
          : added(sure, step.saveAs || 'answer');
      case 'call':
      case 'delegate':
        return added(sure, step.saveAs);
      case 'set':
        return step.onError === 'continue' ? sure : added(sure, step.variable);
      case 'switch':
        this.#reference(parseReference(step.variable), sure);
        return this.#branches(step, [...step.cases.map((branch) => branch.steps), step.default], sure);
      case 'if':
        this.#condition(step.cond, sure);
        return this.#branches(step, [step.then, step.else], sure);
      case 'for_each':
        this.#read(step.in, sure);
        this.#reference(parseReference(step.in), sure);
        this.list(step.steps, added(added(sure, step.as), step.collect));
        return step.onError === 'continue' ? sure : added(sure, step.collect);
      case 'parallel':
        for (const branch of step.branches) this.list(branch, sure);
        return step.onError === 'continue' ? sure : added(sure, step.collect);
      case 'exit':
        return sure;
    }
  }

  /** Of a branching step, only what every branch writes is sure; nothing is if the step itself may fail softly. */
  #branches(step: Step, lists: readonly (readonly Step[])[], sure: Sure): Sure {
    let after: Sure | null = null;
    for (const list of lists) after = both(after, this.list(list, sure));
    return step.onError === 'continue' || after === null ? sure : after;
  }

  #template(text: string, sure: Sure): void {
    for (const part of parseTemplate(text).parts) {
      if (typeof part === 'string') continue;
      if ('ref' in part) this.#reference(part.ref, sure);
      else this.#asset(part.asset, sure);
    }
  }

  /** An asset reads what its args name. */
  #asset(name: string, sure: Sure): void {
    for (const variable of this.#readsOfAsset(name)) this.#read(variable, sure);
  }

  /** The variables of the body that the args of an asset name; they hold no further assets (machine/asset-request.ts). */
  #readsOfAsset(name: string): ReadonlySet<string> {
    let reads = this.#assetReads.get(name);
    if (reads !== undefined) return reads;
    const asset = this.#assets.get(name);
    const texts = stringsIn(asset?.source === 'mcp' ? asset.args : {});
    const parts = texts.flatMap((text) => parseTemplate(text).parts);
    const names = parts.flatMap((part) =>
      typeof part !== 'string' && 'ref' in part ? [part.ref.base, part.ref.text] : [],
    );
    reads = new Set(names.filter((variable) => this.#written.has(variable)));
    this.#assetReads.set(name, reads);
    return reads;
  }

  #condition(text: string, sure: Sure): void {
    const parsed = parseCondition(text);
    if (!parsed.ok) return;
    for (const reference of conditionReferences(parsed.condition)) this.#reference(reference, sure);
  }

  #reference(reference: Reference | undefined, sure: Sure): void {
    if (reference === undefined) return;
    this.#read(reference.base, sure);
    // A variable may bear the name of the whole path, and then it wins over walking.
    if (reference.text !== reference.base) this.#read(reference.text, sure);
  }

  #read(name: string, sure: Sure): void {
    if (this.shared === null && this.#written.has(name) && !sure.has(name)) this.shared = name;
  }
}

function added(sure: Sure, name: string): Sure {
  return name === '' || sure.has(name) ? sure : new Set([...sure, name]);
}

function both(a: Sure | null, b: Sure): Sure {
  return a === null ? b : new Set([...a].filter((name) => b.has(name)));
}
