import type { JsonObject, StepKind } from '@skillyard/contracts';

/** A node of the graph of a flow, as the API gives it. */
export interface FlowNode {
  /** The path of the step, with `i` for any iteration; of a branch that of its list; else `start` and `end`. */
  readonly id: string;
  readonly kind: StepKind | 'branch' | 'start' | 'end';
  readonly label: string;
  readonly text: string;
  readonly when: string;
  readonly notes: readonly string[];
  readonly children: readonly FlowNode[];
}

/** One step may follow another. */
export interface FlowEdge {
  readonly from: string;
  readonly to: string;
  /** When it is taken; empty for always. */
  readonly label: string;
}

/** A flow as people draw it. */
export interface FlowGraph {
  readonly nodes: readonly FlowNode[];
  readonly edges: readonly FlowEdge[];
}

/** The graph of a skill; null when it has none, being in prose. */
export function flowGraphOf(graph: JsonObject | null): FlowGraph | null {
  return graph === null ? null : (graph as unknown as FlowGraph);
}
