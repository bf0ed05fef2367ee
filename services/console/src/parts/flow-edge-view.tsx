import { BaseEdge, type Edge, type EdgeProps } from '@xyflow/react';
import type { ReactNode } from 'react';
import type { PlacedEdge, Point } from '../turn/graph-layout.ts';

/** An edge on the way that the layout found for it. */
export function FlowEdgeView({ data, markerEnd }: EdgeProps<Edge<{ placed: PlacedEdge }>>): ReactNode {
  if (data === undefined) return null;
  const { edge, points, label } = data.placed;
  return (
    <BaseEdge
      path={pathOf(points)}
      {...(markerEnd !== undefined && { markerEnd })}
      {...(label !== null && { label: edge.label, labelX: label.x, labelY: label.y })}
    />
  );
}

/** A line through points, rounded at each of them. */
function pathOf(points: readonly Point[]): string {
  const [first, ...rest] = points;
  const last = rest.pop();
  if (first === undefined || last === undefined) return '';
  const curves = rest.map((corner, index) => {
    const next = rest[index + 1] ?? last;
    return `Q ${corner.x} ${corner.y} ${(corner.x + next.x) / 2} ${(corner.y + next.y) / 2}`;
  });
  return [`M ${first.x} ${first.y}`, ...curves, `L ${last.x} ${last.y}`].join(' ');
}
