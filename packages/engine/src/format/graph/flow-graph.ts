import type { FlowGraph, FlowNode } from '@skillyard/contracts';
import type { Step, Workflow } from '../ast.ts';
import { describeStep, oneLine } from './describe-step.ts';

/** The graph of a flow: its steps in the order of the file, and what may follow what. */
export function flowGraph(workflow: Workflow): FlowGraph {
  return new GraphBuilder().build(workflow.steps);
}

/** Where the flow comes from, and on which condition. */
interface Origin {
  readonly from: string;
  readonly label: string;
}

class GraphBuilder {
  readonly #labels = new Map<string, { readonly from: string; readonly to: string; labels: string[] }>();

  build(steps: readonly Step[]): FlowGraph {
    const list = this.#list(steps, '', [{ from: 'start', label: '' }]);
    const nodes = [marker('start'), ...list.nodes];
    if (list.origins.length > 0) {
      nodes.push(marker('end'));
      this.#connect(list.origins, 'end');
    }
    const edges = [...this.#labels.values()].map(({ from, to, labels }) => ({
      from,
      to,
      label: labels.filter((label) => label !== '').join(', '),
    }));
    return { nodes, edges };
  }

  /** Adds a list of steps. @returns its nodes, and where the flow goes on from */
  #list(
    steps: readonly Step[],
    prefix: string,
    entering: readonly Origin[],
  ): { readonly nodes: FlowNode[]; readonly origins: readonly Origin[] } {
    const nodes: FlowNode[] = [];
    let origins = entering;
    for (const [index, step] of steps.entries()) {
      const id = `${prefix}${index}`;
      this.#connect(origins, id);
      const { children, leaving } = this.#inside(step, id);
      nodes.push({ id, kind: step.kind, ...describeStep(step), children });
      origins = leaving;
    }
    return { nodes, origins };
  }

  /** What is nested in a step, and where the flow leaves it. */
  #inside(step: Step, id: string): { readonly children: FlowNode[]; readonly leaving: readonly Origin[] } {
    const onward: Origin = { from: id, label: '' };
    const skipped: Origin[] = step.when === '' ? [] : [{ from: id, label: 'skipped' }];
    switch (step.kind) {
      case 'if':
        return this.#choice(id, skipped, [
          ['t', 'then', step.then],
          ['e', 'else', step.else],
        ]);
      case 'switch':
        return this.#choice(id, skipped, [
          ...step.cases.map(({ value, steps }, index) => [`c${index}`, nameOfCase(value), steps] as const),
          ['d', 'default', step.default],
        ]);
      case 'for_each':
        return { children: this.#list(step.steps, `${id}.i.`, []).nodes, leaving: [onward] };
      case 'parallel': {
        const children = step.branches.map((steps, index) => {
          const path = `${id}.b${index}`;
          return branch(path, `branch ${index + 1}`, this.#list(steps, `${path}.`, []).nodes);
        });
        return { children, leaving: [onward] };
      }
      case 'exit':
        return { children: [], leaving: skipped };
      default:
        return { children: [], leaving: [onward] };
    }
  }

  #choice(
    id: string,
    skipped: readonly Origin[],
    branches: readonly (readonly [segment: string, label: string, steps: readonly Step[]])[],
  ): { readonly children: FlowNode[]; readonly leaving: readonly Origin[] } {
    const leaving: Origin[] = [];
    const children = branches.map(([segment, label, steps]) => {
      const path = `${id}.${segment}`;
      const list = this.#list(steps, `${path}.`, [{ from: id, label }]);
      for (const origin of list.origins) leaving.push(origin);
      return branch(path, label, list.nodes);
    });
    return { children, leaving: [...leaving, ...skipped] };
  }

  /** Two ways from one step to the same other one, such as an empty `then` and an empty `else`, are one edge. */
  #connect(origins: readonly Origin[], to: string): void {
    for (const { from, label } of origins) {
      const key = `${from} ${to}`;
      const edge = this.#labels.get(key);
      if (edge) edge.labels.push(label);
      else this.#labels.set(key, { from, to, labels: [label] });
    }
  }
}

function nameOfCase(value: string): string {
  return oneLine(value) || '""';
}

function branch(id: string, label: string, children: readonly FlowNode[]): FlowNode {
  return { id, kind: 'branch', label, text: '', when: '', notes: [], children };
}

function marker(kind: 'start' | 'end'): FlowNode {
  return { id: kind, kind, label: kind, text: '', when: '', notes: [], children: [] };
}
