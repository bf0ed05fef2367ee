import { Graph, layout } from '@dagrejs/dagre';
import type { FlowEdge, FlowGraph, FlowNode } from '@skillyard/contracts';

/** A place in the drawing, in pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Where a node is drawn, in pixels; inside a parent, from its corner. */
export interface PlacedNode {
  readonly node: FlowNode;
  readonly parent: string | null;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The way of an edge around the nodes that it does not lead to, from the corner of the drawing. */
export interface PlacedEdge {
  readonly edge: FlowEdge;
  readonly points: readonly Point[];
  /** Where its label is; null without one. */
  readonly label: Point | null;
}

/** A flow with places for everything. */
export interface PlacedGraph {
  /** Parents before what they hold. */
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
}

const NODE_WIDTH = 190;
const NODE_HEIGHT = 54;
const MARKER = { width: 64, height: 28 };
const PADDING = 14;
/** Room for the name of a box that holds others. */
const TITLE = 50;
const LABEL = { letterWidth: 7, height: 18 };

/**
 * Places a flow from the top to the bottom. Loops, parallels and their branches are boxes around their steps; the
 * branches of an if or a switch are drawn flat, since the edges lead into them.
 */
export function placeGraph({ nodes, edges }: FlowGraph): PlacedGraph {
  return placeLevel(nodes, edges, null);
}

/** What is placed beside each other, and how large it is. */
interface Level extends PlacedGraph {
  readonly width: number;
  readonly height: number;
}

function placeLevel(nodes: readonly FlowNode[], edges: readonly FlowEdge[], parent: string | null): Level {
  const level = flatten(nodes);
  const boxes = new Map(level.map((node) => [node.id, boxOf(node, edges)]));
  const within = edges.filter(({ from, to }) => boxes.has(from) && boxes.has(to));
  const graph = laidOut(boxes, within);
  // A box has its name above what it holds.
  const corner = parent === null ? { x: 0, y: 0 } : { x: PADDING, y: TITLE };
  const placed: PlacedNode[] = [];
  const routes = within.map((edge) => routeOf(graph, edge, corner));
  let right = 0;
  let bottom = 0;
  for (const node of level) {
    const box = boxes.get(node.id);
    if (box === undefined) continue;
    const { width, height } = box;
    const centre = graph.node(node.id) as Point;
    const at = moved({ x: centre.x - width / 2, y: centre.y - height / 2 }, corner);
    right = Math.max(right, at.x - corner.x + width);
    bottom = Math.max(bottom, at.y - corner.y + height);
    placed.push({ node, parent, ...at, width, height });
    for (const inner of box.nodes) placed.push(inner);
    for (const { edge, points, label } of box.edges) {
      routes.push({
        edge,
        points: points.map((point) => moved(point, at)),
        label: label === null ? null : moved(label, at),
      });
    }
  }
  return { nodes: placed, edges: routes, width: right, height: bottom };
}

function laidOut(boxes: ReadonlyMap<string, Level>, edges: readonly FlowEdge[]): Graph {
  const graph = new Graph();
  graph.setGraph({ rankdir: 'TB', nodesep: 28, ranksep: 38 });
  for (const [id, { width, height }] of boxes) graph.setNode(id, { width, height });
  for (const { from, to, label } of edges) {
    const { letterWidth, height } = LABEL;
    graph.setEdge(from, to, label === '' ? {} : { width: label.length * letterWidth, height, labelpos: 'c' });
  }
  layout(graph);
  return graph;
}

function routeOf(graph: Graph, edge: FlowEdge, corner: Point): PlacedEdge {
  const {
    points,
    x = 0,
    y = 0,
  } = graph.edge(edge.from, edge.to) as {
    points: readonly Point[];
    x?: number;
    y?: number;
  };
  return {
    edge,
    points: points.map((point) => moved(point, corner)),
    label: edge.label === '' ? null : moved({ x, y }, corner),
  };
}

function moved(point: Point, by: Point): Point {
  return { x: point.x + by.x, y: point.y + by.y };
}

/** The size of a node, and what is placed inside it. */
function boxOf(node: FlowNode, edges: readonly FlowEdge[]): Level {
  const nothing = { nodes: [], edges: [] };
  if (node.kind === 'start' || node.kind === 'end') return { ...nothing, ...MARKER };
  if (!holdsOthers(node)) return { ...nothing, width: NODE_WIDTH, height: NODE_HEIGHT };
  const inside = placeLevel(node.children, edges, node.id);
  return {
    ...inside,
    width: Math.max(NODE_WIDTH, inside.width + 2 * PADDING),
    height: inside.height + TITLE + PADDING,
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
