import { describe, expect, it } from 'vitest';
import { loadSkill } from '../load-skill.ts';
import type { FlowGraph, FlowNode } from '@skillyard/contracts';
import { flowGraph } from './flow-graph.ts';

function graphOf(steps: readonly unknown[]): FlowGraph {
  const skill = {
    skill_engine_version: '2.5.0',
    name: 'kiln',
    description: 'd',
    workflow: { tools: ['mill'], steps },
  };
  const loaded = loadSkill(JSON.stringify(skill));
  expect(loaded.diagnostics).toEqual([]);
  if (!loaded.skill?.workflow) throw new Error('the skill of this test has no workflow');
  return flowGraph(loaded.skill.workflow);
}

const edgesOf = (graph: FlowGraph): string[] =>
  graph.edges.map(({ from, to, label }) => `${from} -${label}-> ${to}`);

const pathsOf = (nodes: readonly FlowNode[]): string[] =>
  nodes.flatMap(({ id, children }) => [id, ...pathsOf(children)]);

const SET = { set: { var: 'a', value: 'b' } };

describe('flowGraph', () => {
  it('leads from the start over the steps to the end', () => {
    expect(edgesOf(graphOf([SET, SET]))).toEqual(['start --> 0', '0 --> 1', '1 --> end']);
  });

  it('names the branches of an if and a switch on their edges, which meet again at the next step', () => {
    const graph = graphOf([
      { if: { cond: 'a is empty', then: [SET, SET] } },
      { switch: { var: 'a', cases: { x: [SET], '': [] }, default: [SET] } },
      SET,
    ]);
    expect(edgesOf(graph)).toEqual([
      'start --> 0',
      '0 -then-> 0.t.0',
      '0.t.0 --> 0.t.1',
      '0.t.1 --> 1',
      '0 -else-> 1',
      '1 -x-> 1.c0.0',
      '1 -default-> 1.d.0',
      '1.c0.0 --> 2',
      '1 -""-> 2',
      '1.d.0 --> 2',
      '2 --> end',
    ]);
    expect(graph.nodes[2]?.children.map(({ id, kind, label }) => [id, kind, label])).toEqual([
      ['1.c0', 'branch', 'x'],
      ['1.c1', 'branch', '""'],
      ['1.d', 'branch', 'default'],
    ]);
  });

  it('holds the steps of loops and the branches of a parallel inside them', () => {
    const graph = graphOf([
      { for_each: { in: 'rows', as: 'row', concurrency: 4, steps: [SET, SET] } },
      { parallel: { collect: 'c', branches: [[SET], []] } },
    ]);
    expect(pathsOf(graph.nodes)).toEqual([
      'start',
      '0',
      '0.i.0',
      '0.i.1',
      '1',
      '1.b0',
      '1.b0.0',
      '1.b1',
      'end',
    ]);
    expect(edgesOf(graph)).toEqual(['start --> 0', '0.i.0 --> 0.i.1', '0 --> 1', '1 --> end']);
    expect(graph.nodes[1]).toMatchObject({
      text: 'row in rows',
      notes: ['max_iterations: 10', 'concurrency: 4'],
    });
  });

  it('ends at an exit unless the exit may be skipped, and has no end that nothing reaches', () => {
    const exit = { exit: { reason: 'done' } };
    expect(edgesOf(graphOf([{ ...exit, when: 'a is empty' }, SET]))).toEqual([
      'start --> 0',
      '0 -skipped-> 1',
      '1 --> end',
    ]);
    const over = graphOf([{ if: { cond: 'a is empty', then: [exit], else: [exit] } }]);
    expect(pathsOf(over.nodes)).not.toContain('end');
  });

  it('goes on behind an if that is skipped', () => {
    const edges = edgesOf(
      graphOf([{ when: 'a == b', if: { cond: 'a is empty', then: [SET], else: [SET] } }, SET]),
    );
    expect(edges).toContain('0 -skipped-> 1');
  });

  it('makes one edge of two ways between the same steps', () => {
    expect(edgesOf(graphOf([{ if: { cond: 'a is empty' } }, SET]))).toContain('0 -then, else-> 1');
  });

  it('says what guards a step and what happens when something goes wrong', () => {
    const { nodes } = graphOf([
      {
        name: 'fire',
        when: 'a is not empty',
        instruction: 'Fire\n  the {{pot}}',
        tools: [],
        model: 'small',
        on_empty: 'retry',
        on_empty_retries: 3,
        on_error: 'skip',
        save_as: 'r',
        timeout: '2m',
      },
      { call: { tool: 'mill:grind', on_empty: 'use', on_empty_value: 'none', timeout: '1500ms' } },
      { ask: { question: 'Go?', options: [{ value: 'yes' }, { value: 'no' }], timeout: '2h' } },
      { delegate: { skill: 'glaze', task: 't' } },
      { instruction: 'x'.repeat(90) },
    ]);
    expect(nodes.slice(1, -1)).toMatchObject([
      {
        label: 'fire',
        text: 'Fire the {{pot}}',
        when: 'a is not empty',
        notes: [
          'model: small',
          'no tools',
          'timeout: 2m',
          'on_empty: retry (3)',
          'on_error: skip',
          'save_as: r',
        ],
      },
      { label: 'call', text: 'mill:grind', notes: ['timeout: 1.5s', 'on_empty: use "none"'] },
      { label: 'question', text: 'Go?', notes: ['options: yes, no', 'timeout: 2h'] },
      { label: 'delegate', text: 'glaze', notes: [] },
      { text: `${'x'.repeat(80)}…` },
    ]);
  });
});
