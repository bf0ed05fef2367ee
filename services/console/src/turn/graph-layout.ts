import { Graph, layout } from '@dagrejs/dagre';
import type { FlowEdge, FlowGraph, FlowNode } from './flow-graph.ts';

/** Where a node is drawn, in pixels; inside a parent, from its corner. */
export interface PlacedNode {
  readonly node: FlowNode;
  readonly parent: string | null;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const NODE_WIDTH = 190;
const NODE_HEIGHT = 54;
const MARKER = { width: 64, height: 28 };
const PADDING = 14;
/** Room for the name of a box that holds others. */
const TITLE = 50;

/**
 * Places the nodes of a flow from the top to the bottom. Loops, parallels and their branches are boxes around their
 * steps; the branches of an if or a switch are drawn flat, since the edges lead into them.
 * @returns parents before what they hold
 */
export function placeNodes(graph: FlowGraph): PlacedNode[] {
  return placeLevel(graph.nodes, graph.edges, null).placed;
}

interface Level {
  readonly placed: PlacedNode[];
  readonly width: number;
  readonly height: number;
}

function placeLevel(nodes: readonly FlowNode[], edges: readonly FlowEdge[], parent: string | null): Level {
  const level = flatten(nodes);
  const boxes = new Map(level.map((node) => [node.id, boxOf(node, edges)]));
  const graph = new Graph();
  graph.setGraph({ rankdir: 'TB', nodesep: 28, ranksep: 38, marginx: 0, marginy: 0 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const [id, { width, height }] of boxes) graph.setNode(id, { width, height });
  for (const { from, to, label } of edges) {
    // An edge with a label needs room for it.
    if (boxes.has(from) && boxes.has(to))
      graph.setEdge(from, to, label === '' ? {} : { width: label.length * 6, height: 16 });
  }
  layout(graph);
  const placed: PlacedNode[] = [];
  let right = 0;
  let bottom = 0;
  for (const node of level) {
    const box = boxes.get(node.id);
    const at = graph.node(node.id) as { x: number; y: number };
    if (box === undefined) continue;
    const x = at.x - box.width / 2;
    const y = at.y - box.height / 2;
    right = Math.max(right, x + box.width);
    bottom = Math.max(bottom, y + box.height);
    const inset = parent === null ? { x: 0, y: 0 } : { x: PADDING, y: TITLE };
    placed.push({ node, parent, x: x + inset.x, y: y + inset.y, width: box.width, height: box.height });
    for (const inner of box.placed) placed.push(inner);
  }
  return { placed, width: right, height: bottom };
}

/** The size of a node, and what is placed inside it. */
function boxOf(node: FlowNode, edges: readonly FlowEdge[]): Level {
  if (node.kind === 'start' || node.kind === 'end') return { placed: [], ...MARKER };
  if (!holdsOthers(node)) return { placed: [], width: NODE_WIDTH, height: NODE_HEIGHT };
  const { placed, width, height } = placeLevel(node.children, edges, node.id);
  return {
    placed,
    width: Math.max(NODE_WIDTH, width + 2 * PADDING),
    height: height + TITLE + PADDING,
  };
}

/** Whether a node is drawn as a box around others. */
export function holdsOthers(node: FlowNode): boolean {
  return node.children.length > 0 && node.kind !== 'if' && node.kind !== 'switch';
}

/** The nodes of a level, with the steps of ifs and switches beside them. */
function flatten(nodes: readonly FlowNode[]): FlowNode[] {
  return nodes.flatMap((node) =>
    node.kind === 'if' || node.kind === 'switch'
      ? [node, ...node.children.flatMap((branch) => flatten(branch.children))]
      : [node],
  );
}
