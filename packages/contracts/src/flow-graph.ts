import type { StepKind } from './step-kind.ts';

/** What a node of the graph stands for: a step, a list of steps of one, or an end of the flow. */
type FlowNodeKind = StepKind | 'branch' | 'start' | 'end';

/** A node of a flow graph. */
export interface FlowNode {
  /** The name of the step; without one, what it is. Of a branch, when it is taken. */
  readonly label: string;
  /** What it does, in one short line: the tool, the condition, the beginning of the instruction. May be empty. */
  readonly text: string;
  /** The condition without which it is skipped; empty when it always runs. */
  readonly when: string;
  /** What else decides about it, one short line each: policies, limits, where the result goes. */
  readonly notes: readonly string[];
  /**
   * The path of the step, as the rows of a trace name it, with `i` for any iteration of a loop: `4.i.0`. Of a branch the
   * path of its list: `2.t`, `3.b1`. Else `start` and `end`.
   */
  readonly id: string;
  readonly kind: FlowNodeKind;
  /** The steps of a loop or a branch; the branches of a switch, an if and a parallel, those without steps included. */
  readonly children: readonly FlowNode[];
}

/** One step may follow another. Both stand in the same branch, loop or flow, or in a branch of an if or switch there. */
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
