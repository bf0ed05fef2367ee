import { Background, Controls, type Edge, MarkerType, type Node, ReactFlow } from '@xyflow/react';
import '@xyflow/react/dist/style.css';
import { useMemo, type ReactNode } from 'react';
import type { FlowGraph } from '@skillyard/contracts';
import { holdsOthers, placeGraph, type PlacedEdge } from '../turn/graph-layout.ts';
import type { NodeOutcome } from '../turn/node-outcomes.ts';
import { nodeOf } from '../turn/step-path.ts';
import { FlowEdgeView } from './flow-edge-view.tsx';
import { FlowNodeView, type FlowNodeData } from './flow-node-view.tsx';

interface FlowViewProps {
  readonly graph: FlowGraph;
  /** What became of the nodes; empty for a skill that is only looked at. */
  readonly outcomes: ReadonlyMap<string, NodeOutcome>;
  /** The path of the step that is looked at. */
  readonly chosen: string | null;
  readonly choose: (path: string) => void;
}

const NODE_TYPES = { step: FlowNodeView };
const EDGE_TYPES = { routed: FlowEdgeView };

/** The flow of a skill as a graph, coloured by what became of its steps. */
export function FlowView({ graph, outcomes, chosen, choose }: FlowViewProps): ReactNode {
  const placed = useMemo(() => placeGraph(graph), [graph]);
  const edges = useMemo(() => placed.edges.map(drawnEdge), [placed]);
  const chosenNode = chosen === null ? null : nodeOf(chosen);
  const nodes = placed.nodes.map(({ node, parent, x, y, width, height }): Node<FlowNodeData> => ({
    id: node.id,
    type: 'step',
    position: { x, y },
    width,
    height,
    ...(parent !== null && { parentId: parent }),
    data: {
      node,
      isBox: holdsOthers(node),
      outcome: outcomes.get(node.id) ?? null,
      isChosen: node.id === chosenNode,
      choose,
    },
  }));
  return (
    <div className="flow" role="region" aria-label="Flow">
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        colorMode="system"
        fitView
        fitViewOptions={{ maxZoom: 1, padding: 0.08 }}
        minZoom={0.05}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        onlyRenderVisibleElements={placed.nodes.length > 150}
      >
        <Background />
        <Controls showInteractive={false} />
      </ReactFlow>
    </div>
  );
}

function drawnEdge(placed: PlacedEdge): Edge<{ placed: PlacedEdge }> {
  const { from, to } = placed.edge;
  return {
    id: `${from} ${to}`,
    source: from,
    target: to,
    type: 'routed',
    data: { placed },
    // Over the boxes that nodes may lie in.
    zIndex: 1,
    markerEnd: { type: MarkerType.ArrowClosed },
  };
}
