import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FlowGraph, FlowNode } from '@skillyard/contracts';
import { flowGraph, loadSkill } from '@skillyard/engine';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toMermaid } from './mermaid.ts';
import { toSvg } from './svg.ts';

const ROOT = join(import.meta.dirname, '../../../..');

function graphOf(text: string): FlowGraph | undefined {
  const workflow = loadSkill(text).skill?.workflow;
  return workflow ? flowGraph(workflow) : undefined;
}

const examples = readdirSync(join(ROOT, 'examples'))
  .map((name) => ({ name, file: join(ROOT, 'examples', name, 'skill.yaml') }))
  .filter(({ file }) => existsSync(file))
  .map(({ name, file }) => ({ name, graph: graphOf(readFileSync(file, 'utf8')) }));

const recorded = ['validate', 'execute', 'lint'].flatMap((name) => {
  const cases = JSON.parse(readFileSync(join(ROOT, 'conformance', `${name}.json`), 'utf8')) as {
    input: { skill: string };
  }[];
  return cases.map(({ input }) => graphOf(input.skill)).filter((graph) => graph !== undefined);
});

const nodesOf = (nodes: readonly FlowNode[]): FlowNode[] =>
  nodes.flatMap((node) => [node, ...nodesOf(node.children)]);

/** The lines that a flowchart is made of, as the grammar of Mermaid has them; texts are strings without a quote. */
const TEXT = String.raw`"(?:[\p{L}\p{N}\p{M}\p{Zs}_,./=-]|#\d+;|<br\/>|[^\x00-\x7f])+"`;
const NODE_LINE = new RegExp(
  String.raw`^ +n_\w+(?:\(\[${TEXT}\]\)|\[\[${TEXT}\]\]|\[/${TEXT}/\]|\[\\${TEXT}\\\]|\[${TEXT}\]|\(${TEXT}\)|\{${TEXT}\})$`,
  'u',
);
const SUBGRAPH_LINE = new RegExp(String.raw`^ +subgraph n_\w+\[${TEXT}\]$`, 'u');
const EDGE_LINE = new RegExp(String.raw`^  n_\w+ -->(?:\|${TEXT}\|)? n_\w+$`, 'u');

/** Reads Mermaid text; fails on what is no flowchart. @returns the ids of its nodes */
function readMermaid(text: string): string[] {
  const [head, ...lines] = text.trimEnd().split('\n');
  expect(head).toBe('flowchart TD');
  const ids: string[] = [];
  let depth = 0;
  for (const line of lines) {
    if (/^ +end$/.test(line)) depth -= 1;
    else if (SUBGRAPH_LINE.test(line)) depth += 1;
    else if (!EDGE_LINE.test(line)) expect(line).toMatch(NODE_LINE);
    expect(depth).toBeGreaterThanOrEqual(0);
    const id = /^ +(?:subgraph )?(n_\w+)[[({]/.exec(line)?.[1];
    if (id !== undefined) ids.push(id);
    for (const end of EDGE_LINE.test(line) ? line.matchAll(/(?<![#\w])n_\w+(?= |$)/g) : [])
      expect(ids).toContain(end[0]);
  }
  expect(depth).toBe(0);
  return ids;
}

/** Reads well-formed XML without namespaces, comments and CDATA. @returns how often each class of `<g>` occurs */
function readXml(text: string): string[] {
  const open: string[] = [];
  const ids: string[] = [];
  const rest = text.replaceAll(
    /<(?:\/(\w+)|(\w+)((?: [\w:-]+="(?:[^<&"]|&(?:amp|lt|gt|quot);)*")*)(\/?))>/g,
    (_, close: string | undefined, name: string, attributes: string, empty: string) => {
      if (close !== undefined) expect(open.pop()).toBe(close);
      else if (empty === '') open.push(name);
      const id = close === undefined ? / data-id="([^"]*)"/.exec(attributes)?.[1] : undefined;
      if (id !== undefined) ids.push(id);
      return '';
    },
  );
  expect(open).toEqual([]);
  expect(rest).not.toMatch(/[<]|&(?!(?:amp|lt|gt|quot);)/);
  expect(rest).not.toMatch(/(?!\n)\p{Cc}|\p{Cs}|[\ufffe\uffff]/u);
  return ids;
}

/** Every node that is drawn stands in both texts once. */
function isDrawn(graph: FlowGraph, title: string): void {
  const nodes = nodesOf(graph.nodes);
  const steps = nodes.filter(({ kind }) => kind !== 'branch').map(({ id }) => id);
  const branches = nodes
    .filter(({ kind }) => kind === 'parallel')
    .flatMap(({ children }) => children.map(({ id }) => id));
  const drawn = [...steps, ...branches].toSorted();
  expect(readXml(toSvg(graph, title)).toSorted()).toEqual(drawn);
  const ids = drawn.map((id) => `n_${id.replaceAll('.', '_')}`);
  expect(readMermaid(toMermaid(graph)).toSorted()).toEqual(ids.toSorted());
}

describe.each(examples)('the flow of the example $name', ({ name, graph }) => {
  it('is drawn, every step once', () => {
    expect(graph).toBeDefined();
    if (graph) isDrawn(graph, name);
  });
});

const SNAPSHOTS = readdirSync(join(import.meta.dirname, '__snapshots__')).filter((file) =>
  file.endsWith('.mmd'),
);

describe.each(SNAPSHOTS)('the snapshot %s', (file) => {
  it('is the Mermaid text of the example', async () => {
    const graph = examples.find(({ name }) => `${name}.mmd` === file)?.graph;
    await expect(graph && toMermaid(graph)).toMatchFileSnapshot(`__snapshots__/${file}`);
  });
});

describe('a flow as SVG', () => {
  it('is the picture of the snapshot', async () => {
    const graph = examples.find(({ name }) => name === 'bus-complaint')?.graph;
    await expect(graph && toSvg(graph, 'bus-complaint')).toMatchFileSnapshot(
      '__snapshots__/bus-complaint.svg',
    );
  });

  it('has a title and says in words what it shows', () => {
    const graph = recorded.find(({ nodes }) => nodes.some(({ kind }) => kind === 'if'));
    const svg = graph && toSvg(graph, 'a <b> & "c"');
    expect(svg).toMatch(/^<svg [^>]*role="img" aria-labelledby="flow-title flow-desc">/);
    expect(svg).toContain('<title id="flow-title">Flow of a &lt;b&gt; &amp; &quot;c&quot;</title>');
    expect(svg).toMatch(/<desc id="flow-desc">start;.* if .*then: \[/);
    expect(svg).toContain('@media (prefers-color-scheme: dark)');
  });
});

describe('any flow', () => {
  it('of the recorded cases is drawn, every step once', () => {
    expect(recorded.length).toBeGreaterThan(300);
    for (const graph of recorded) isDrawn(graph, 'recorded');
  });

  it('is drawn whatever its names and texts are', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom(
        'end',
        '"',
        '`x`',
        '1. a',
        '- a',
        '# b',
        '%%',
        ']]>',
        '<b>',
        '&amp;',
        '\u202e',
        '\ud800',
        '終わり',
        '_x_',
      ),
    );
    const kinds = [
      'instruction',
      'call',
      'delegate',
      'ask',
      'set',
      'exit',
      'for_each',
      'if',
      'parallel',
    ] as const;
    fc.assert(
      fc.property(fc.constantFrom(...kinds), text, fc.array(text, { maxLength: 4 }), (kind, label, notes) => {
        const base = { label, text: label, when: label, notes };
        const inside: FlowNode = { ...base, id: '0.b0.0', kind: 'set', children: [] };
        const branch: FlowNode = { ...base, id: '0.b0', kind: 'branch', children: [inside] };
        const children =
          kind === 'for_each' ? [inside] : kind === 'if' || kind === 'parallel' ? [branch] : [];
        const node: FlowNode = { ...base, id: '0', kind, children };
        const last: FlowNode = { ...base, id: 'end', kind: 'end', children: [] };
        isDrawn({ nodes: [node, last], edges: [{ from: '0', to: 'end', label }] }, label);
      }),
      { numRuns: 500 },
    );
  });
});
