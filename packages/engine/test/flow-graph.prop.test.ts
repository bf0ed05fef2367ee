import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nestedLists, type Step } from '../src/format/ast.ts';
import type { FlowNode } from '@skillyard/contracts';
import { flowGraph } from '../src/format/graph/flow-graph.ts';
import { arbitraryWorkflow } from './arbitrary-flow.ts';

const steps = (list: readonly Step[]): Step[] =>
  list.flatMap((step) => [step, ...nestedLists(step).flatMap(steps)]);
const nodes = (list: readonly FlowNode[]): FlowNode[] =>
  list.flatMap((node) => [node, ...nodes(node.children)]);

const NO_STEP = new Set(['start', 'end', 'branch']);

describe('flowGraph of any flow', () => {
  it('has every step once and in order, under a name of its own, and edges that only go on', () => {
    fc.assert(
      fc.property(arbitraryWorkflow, (workflow) => {
        const graph = flowGraph(workflow);
        const all = nodes(graph.nodes);
        const order = new Map(all.map(({ id }, index) => [id, index]));
        expect(order.size).toBe(all.length);
        expect(all.filter(({ kind }) => !NO_STEP.has(kind)).map(({ kind }) => kind)).toEqual(
          steps(workflow.steps).map(({ kind }) => kind),
        );
        const pairs = new Set(graph.edges.map(({ from, to }) => `${from} ${to}`));
        expect(pairs.size).toBe(graph.edges.length);
        for (const { from, to } of graph.edges) {
          expect(order.get(from)).toBeLessThan(order.get(to) ?? -1);
        }
        for (const { label } of all) expect(label).not.toBe('');
      }),
      { numRuns: 500 },
    );
  });
});
