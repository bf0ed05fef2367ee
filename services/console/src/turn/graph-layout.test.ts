import { describe, expect, it } from 'vitest';
import type { FlowNode } from '@skillyard/contracts';
import { placeGraph, type PlacedNode } from './graph-layout.ts';
import { nodeOutcomes } from './node-outcomes.ts';
import { waterfall } from './waterfall.ts';

const node = (id: string, kind: FlowNode['kind'] = 'call', children: FlowNode[] = []): FlowNode => ({
  id,
  kind,
  label: id,
  text: '',
  when: '',
  notes: [],
  children,
});
const edge = (from: string, to: string, label = '') => ({ from, to, label });
const byId = (placed: readonly PlacedNode[]) => new Map(placed.map((each) => [each.node.id, each]));

describe('placeGraph', () => {
  it('puts what follows below what it follows', () => {
    const placed = byId(
      placeGraph({
        nodes: [node('start', 'start'), node('0'), node('1')],
        edges: [edge('start', '0'), edge('0', '1')],
      }).nodes,
    );
    expect(placed.get('start')!.y).toBeLessThan(placed.get('0')!.y);
    expect(placed.get('0')!.y + placed.get('0')!.height).toBeLessThan(placed.get('1')!.y);
  });

  it('draws a loop as a box that its steps fit into, and names the parent before them', () => {
    const loop = node('0', 'for_each', [node('0.i.0'), node('0.i.1')]);
    const { nodes: list, edges } = placeGraph({ nodes: [loop], edges: [edge('0.i.0', '0.i.1')] });
    expect(list.map(({ node: { id }, parent }) => [id, parent])).toEqual([
      ['0', null],
      ['0.i.0', '0'],
      ['0.i.1', '0'],
    ]);
    const [box, ...inner] = list;
    for (const { x, y, width, height } of inner) {
      expect(x).toBeGreaterThan(0);
      expect(x + width).toBeLessThan(box!.width);
      expect(y + height).toBeLessThan(box!.height);
    }
    // The edge between them lies between them, seen from the corner of the drawing.
    const [first, second] = inner;
    for (const { y } of edges[0]!.points) {
      expect(y).toBeGreaterThanOrEqual(box!.y + first!.y + first!.height);
      expect(y).toBeLessThanOrEqual(box!.y + second!.y);
    }
  });

  it('draws the branches of an if flat and side by side, since edges lead into them', () => {
    const choice = node('0', 'if', [
      node('0.t', 'branch', [node('0.t.0')]),
      node('0.e', 'branch', [node('0.e.0')]),
    ]);
    const placed = byId(
      placeGraph({ nodes: [choice], edges: [edge('0', '0.t.0', 'then'), edge('0', '0.e.0', 'else')] }).nodes,
    );
    expect([...placed.keys()]).toEqual(['0', '0.t.0', '0.e.0']);
    expect(placed.get('0.t.0')!.y).toBe(placed.get('0.e.0')!.y);
    expect(placed.get('0.t.0')!.x).not.toBe(placed.get('0.e.0')!.x);
  });
});

describe('the edges', () => {
  it('lead around what they pass', () => {
    const choice = node('0', 'if', [node('0.t', 'branch', [node('0.t.0')])]);
    const { nodes, edges } = placeGraph({
      nodes: [choice, node('1')],
      edges: [edge('0', '0.t.0', 'then'), edge('0.t.0', '1'), edge('0', '1', 'else')],
    });
    const passed = byId(nodes).get('0.t.0')!;
    const { points, label } = edges.find((each) => each.edge.label === 'else')!;
    expect(label).not.toBeNull();
    for (const { x, y } of points) {
      const beside = x < passed.x || x > passed.x + passed.width;
      expect(beside || y <= passed.y || y >= passed.y + passed.height).toBe(true);
    }
  });
});

describe('nodeOutcomes', () => {
  it('counts the iterations of a step and shows the worst of them', () => {
    const rows = (['ok', 'error', 'skipped'] as const).map((outcome, index) => ({
      type: 'step.finished' as const,
      path: `0.i${index}.0`,
      name: 'x',
      kind: 'call' as const,
      branch: false,
      outcome,
      reason: '',
      calls: 0,
      callsFailed: 0,
      startedAtMs: 0,
      durationMs: 1,
    }));
    expect(nodeOutcomes(waterfall(rows, 5).rows).get('0.i.0')).toEqual({
      outcome: 'error',
      times: 2,
      path: '0.i1.0',
    });
  });
});
