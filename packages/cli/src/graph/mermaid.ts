import type { FlowGraph, FlowNode } from '@skillyard/contracts';

/**
 * The graph as the text of a Mermaid flowchart: loops and the branches of a parallel are boxes around their steps.
 * @see https://mermaid.js.org/syntax/flowchart.html
 */
export function toMermaid(graph: FlowGraph): string {
  const lines = ['flowchart TD'];
  addNodes(graph.nodes, 1, lines);
  for (const { from, to, label } of graph.edges) {
    const arrow = label === '' ? '-->' : `-->|${quote([label])}|`;
    lines.push(`  ${idOf(from)} ${arrow} ${idOf(to)}`);
  }
  return `${lines.join('\n')}\n`;
}

/** What stands around the text of a node, by its kind. */
const SHAPES: Readonly<Record<FlowNode['kind'], readonly [open: string, close: string]>> = {
  start: ['([', '])'],
  end: ['([', '])'],
  exit: ['([', '])'],
  instruction: ['[', ']'],
  call: ['[[', ']]'],
  delegate: ['[/', '/]'],
  ask: ['[\\', '\\]'],
  code: ['[[', ']]'],
  set: ['(', ')'],
  switch: ['{', '}'],
  if: ['{', '}'],
  for_each: ['[', ']'],
  parallel: ['[', ']'],
  branch: ['[', ']'],
};

function addNodes(nodes: readonly FlowNode[], depth: number, lines: string[]): void {
  const indent = '  '.repeat(depth);
  for (const node of nodes) {
    const isChoice = node.kind === 'if' || node.kind === 'switch';
    if (node.children.length > 0 && !isChoice) {
      lines.push(`${indent}subgraph ${idOf(node.id)}[${quote(textOf(node))}]`);
      addNodes(node.children, depth + 1, lines);
      lines.push(`${indent}end`);
      continue;
    }
    const [open, close] = SHAPES[node.kind];
    lines.push(`${indent}${idOf(node.id)}${open}${quote(textOf(node))}${close}`);
    // The steps of an if or a switch stand beside it, and its edges say which branch they are.
    for (const branch of node.children) addNodes(branch.children, depth, lines);
  }
}

/** Never one of the words that Mermaid reads differently, such as `end`. */
function idOf(id: string): string {
  return `n_${id.replaceAll('.', '_')}`;
}

function textOf({ kind, label, text, when, notes }: FlowNode): string[] {
  const isPlain = kind === 'start' || kind === 'end' || kind === 'branch';
  const head = isPlain || label === kind ? label : `${label} (${kind})`;
  return [head, text, when === '' ? '' : `when: ${when}`, ...notes].filter((line) => line !== '');
}

/** A text of a node or an edge; Mermaid takes none that is empty. */
function quote(lines: readonly string[]): string {
  return `"${lines.map(escape).join('<br/>') || ' '}"`;
}

// Control characters, halves of surrogate pairs, line ends and what turns the direction of writing.
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu;
/**
 * ASCII that some version of Mermaid takes for markup; dots, dashes and underscores only outside of words, where they
 * could begin a list or slanted text.
 */
const MARKUP = /[!-+:-<>-@[-^`{-~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|(?<!\p{L})[.-]|[.-](?!\p{L})/gu;

/** What could be markup is written as an entity of Mermaid, which is read after all markup has been. */
function escape(text: string): string {
  return text
    .replaceAll(UNPRINTABLE, ' ')
    .replaceAll(MARKUP, (character) => `#${character.codePointAt(0) ?? 0};`);
}
