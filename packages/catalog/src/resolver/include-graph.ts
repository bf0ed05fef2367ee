/**
 * The walk over the includes of a skill.
 *
 * The specification resolves an included skill each time it is met, which costs 2^n visits for n diamonds in a row. The
 * same result comes from two walks that visit every skill once:
 *
 * I1 The place of a key is that of its first occurrence, and a second visit adds none. So the skills in the order in which
 *    they are finished for the first time give the places.
 * I2 The value of a key is that of its last occurrence. In the walk run backwards that is the first one, so the skills in
 *    the order of a backward walk give the values.
 * I3 A second visit can meet a cycle that the first did not only through two lookup names of one skill name, since every
 *    skill below has been left by then. Only then is it walked again.
 */
import { SkillyardError } from '@skillyard/contracts';
import type { SkillLookup, SourceSkill } from './source-skill.ts';

/** An include that the lookup does not know. */
export interface MissingInclude {
  /** Name of the skill that includes it. */
  readonly skill: string;
  readonly include: string;
}

export interface IncludeGraph {
  /** The skills in the order in which their own tools come first (I1); the root is the last. */
  readonly finished: readonly SourceSkill[];
  /** The skills in the order of the backward walk (I2); the root is the first. */
  readonly backward: readonly SourceSkill[];
  /** In the order of the walk, once per visit, at most {@link MAX_MISSING}. */
  readonly missing: readonly MissingInclude[];
}

/** Diamonds repeat what is missing below them; more than this tells nothing new. */
const MAX_MISSING = 1000;

/** A skill met in the walk. */
interface Node {
  readonly skill: SourceSkill;
  /** By include, in order; undefined where the lookup knows nothing. */
  readonly children: (Node | undefined)[];
  /** What was missing at and below it in its first visit: a slice of the whole list. */
  missingFrom: number;
  missingTo: number;
  isFinished: boolean;
}

/**
 * Walks the includes of a skill, depth first and in order.
 * @throws SkillyardError INCLUDE_CYCLE with the names from the root to the skill that is met again
 */
export function walkIncludes(root: SourceSkill, lookup: SkillLookup): IncludeGraph {
  const walk = new IncludeWalk(lookup);
  const node = walk.walk(root);
  return { finished: walk.finished, backward: backwardOf(node), missing: walk.missing };
}

class IncludeWalk {
  readonly finished: SourceSkill[] = [];
  readonly missing: MissingInclude[] = [];
  readonly #lookup: SkillLookup;
  readonly #nodes = new Map<string, Node | undefined>();
  /** The lookup name under which a skill name was met first. */
  readonly #keyOf = new Map<string, string>();
  /** Skill names met under several lookup names. */
  readonly #shared = new Set<string>();
  readonly #path = new Set<string>();

  constructor(lookup: SkillLookup) {
    this.#lookup = lookup;
  }

  walk(root: SourceSkill): Node {
    const rootNode = newNode(root);
    const stack: { node: Node; next: number }[] = [];
    const enter = (node: Node): void => {
      const { name } = node.skill;
      if (this.#path.has(name)) throw cycle([...this.#path, name]);
      this.#path.add(name);
      if (!node.isFinished) node.missingFrom = this.missing.length;
      stack.push({ node, next: 0 });
    };

    enter(rootNode);
    for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
      const { node } = frame;
      const include = node.skill.includes[frame.next];
      if (include === undefined) {
        stack.pop();
        this.#path.delete(node.skill.name);
        if (!node.isFinished) this.#finish(node);
        continue;
      }
      const child = this.#node(include);
      node.children[frame.next] = child;
      frame.next += 1;
      if (child === undefined) this.#miss({ skill: node.skill.name, include });
      else if (child.isFinished && !this.#endsInCycle(child)) this.#missAgain(child);
      else enter(child);
    }
    return rootNode;
  }

  #finish(node: Node): void {
    node.isFinished = true;
    node.missingTo = this.missing.length;
    this.finished.push(node.skill);
  }

  #node(include: string): Node | undefined {
    if (this.#nodes.has(include)) return this.#nodes.get(include);
    const skill = this.#lookup(include);
    const node = skill && newNode(skill);
    this.#nodes.set(include, node);
    if (skill !== undefined) {
      if (this.#keyOf.has(skill.name)) this.#shared.add(skill.name);
      else this.#keyOf.set(skill.name, include);
    }
    return node;
  }

  /** Whether walking a finished skill again would meet a name of the path (I3). */
  #endsInCycle(from: Node): boolean {
    if (![...this.#shared].some((name) => this.#path.has(name))) return false;
    const seen = new Set<Node>([from]);
    for (const node of seen) {
      if (this.#path.has(node.skill.name)) return true;
      for (const child of node.children) if (child !== undefined) seen.add(child);
    }
    return false;
  }

  #miss(missing: MissingInclude): void {
    if (this.missing.length < MAX_MISSING) this.missing.push(missing);
  }

  #missAgain({ missingFrom, missingTo }: Node): void {
    for (let at = missingFrom; at < missingTo; at += 1) {
      const missing = this.missing[at];
      if (missing !== undefined) this.#miss(missing);
    }
  }
}

function newNode(skill: SourceSkill): Node {
  return { skill, children: [], missingFrom: 0, missingTo: 0, isFinished: false };
}

function cycle(names: readonly string[]): SkillyardError {
  const message = `Cycle detected in skill includes: ${names.join(' -> ')}`;
  return new SkillyardError('INCLUDE_CYCLE', message, { details: { skills: names } });
}

/** Every skill once: itself, then what it includes, last include first. */
function backwardOf(root: Node): SourceSkill[] {
  const order: SourceSkill[] = [];
  const seen = new Set<Node>();
  const stack = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    order.push(node.skill);
    // The last include is to be popped first.
    for (const child of node.children) if (child !== undefined) stack.push(child);
  }
  return order;
}
