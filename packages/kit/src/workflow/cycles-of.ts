interface Frame {
  readonly step: string;
  readonly targets: readonly string[];
  /** How many targets have been looked at. */
  at: number;
  /** All of the path from here down to this depth is known to lie on a cycle. */
  coveredTo: number;
}

/**
 * The nodes that lie on a cycle, exactly: those of every strongly connected component of more than one, and those that lead to
 * themselves. Tarjan's algorithm, without recursion, in time proportional to the number of edges.
 * @param graph the targets of each node; targets that are no nodes do not count
 * @returns in the order in which a depth-first search closes the cycles, from the end of each back to its beginning
 */
export function cyclesOf(graph: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const search = new CycleSearch(graph);
  for (const step of graph.keys()) {
    search.from(step);
  }
  return [...search.found];
}

class CycleSearch {
  readonly found = new Set<string>();
  readonly #graph: ReadonlyMap<string, readonly string[]>;
  readonly #index = new Map<string, number>();
  /** The smallest index that a node and what comes after it lead back to. */
  readonly #low = new Map<string, number>();
  /** Nodes whose component is not complete. */
  readonly #open: string[] = [];
  readonly #isOpen = new Set<string>();
  readonly #path: Frame[] = [];
  readonly #depth = new Map<string, number>();

  constructor(graph: ReadonlyMap<string, readonly string[]>) {
    this.#graph = graph;
  }

  from(start: string): void {
    if (this.#index.has(start)) {
      return;
    }
    this.#enter(start);
    for (let frame = this.#path.at(-1); frame !== undefined; frame = this.#path.at(-1)) {
      const target = frame.targets[frame.at];
      frame.at += 1;
      if (target === undefined) {
        this.#leave(frame.step);
      } else if (!this.#index.has(target)) {
        this.#enter(target);
      } else if (this.#isOpen.has(target)) {
        this.#lower(frame.step, this.#index.get(target));
        this.#closeCycle(this.#depth.get(target));
      }
    }
  }

  #enter(step: string): void {
    this.#index.set(step, this.#index.size);
    this.#lower(step, this.#index.get(step));
    this.#open.push(step);
    this.#isOpen.add(step);
    this.#depth.set(step, this.#path.length);
    const targets = (this.#graph.get(step) ?? []).filter((target) => this.#graph.has(target));
    this.#path.push({ step, targets, at: 0, coveredTo: this.#path.length });
  }

  #leave(step: string): void {
    this.#path.pop();
    this.#depth.delete(step);
    const parent = this.#path.at(-1);
    if (parent !== undefined) {
      this.#lower(parent.step, this.#low.get(step));
    }
    if (this.#low.get(step) !== this.#index.get(step)) {
      return;
    }
    const component = this.#open.splice(this.#open.lastIndexOf(step));
    for (const member of component.toReversed()) {
      this.#isOpen.delete(member);
      // One alone is on a cycle only if it leads to itself, which `#closeCycle` has seen.
      if (component.length > 1) {
        this.found.add(member);
      }
    }
  }

  /** @param depth where on the path the target is; undefined when it is beside the path */
  #closeCycle(depth: number | undefined): void {
    const tip = this.#path.length - 1;
    if (depth === undefined) {
      return;
    }
    let at = tip;
    for (let frame = this.#path[at]; frame !== undefined && at >= depth; frame = this.#path[at]) {
      this.found.add(frame.step);
      at = frame.coveredTo - 1;
    }
    const last = this.#path[tip];
    if (last !== undefined) {
      last.coveredTo = Math.min(last.coveredTo, depth);
    }
  }

  #lower(step: string, index: number | undefined): void {
    this.#low.set(step, Math.min(this.#low.get(step) ?? Infinity, index ?? Infinity));
  }
}
