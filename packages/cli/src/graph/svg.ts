import type { FlowGraph, FlowNode } from '@skillyard/contracts';
import {
  layOut,
  LINE_HEIGHT,
  PADDING,
  type PlacedLabel,
  type PlacedLine,
  type PlacedNode,
} from './layout.ts';

const MARGIN = 20;

/** Colours of a kind of step, for light and for dark surroundings; the kind is also written in the box. */
const COLOURS: readonly (readonly [kinds: string, light: string, dark: string])[] = [
  ['instruction', '#0969da', '#58a6ff'],
  ['call', '#1a7f37', '#3fb950'],
  ['delegate', '#8250df', '#bc8cff'],
  ['ask', '#bf3989', '#f778ba'],
  ['if switch', '#9a6700', '#d29922'],
  ['exit', '#cf222e', '#f85149'],
];

const STYLE = `
.paper { fill: #ffffff }
.box { fill: #f6f8fa; stroke: #57606a; stroke-width: 1.5 }
.frame { fill: none; stroke: #57606a; stroke-width: 1.2; stroke-dasharray: 5 3 }
.branch .frame { stroke-dasharray: none; stroke-width: 0.8 }
.line { fill: none; stroke: #57606a; stroke-width: 1.3 }
.arrow { fill: #57606a }
text { font: 12px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1f2328 }
.name { font-weight: 600 }
.note { fill: #57606a }
${COLOURS.map(([kinds, light]) => `${selector(kinds)} { stroke: ${light} }`).join('\n')}
@media (prefers-color-scheme: dark) {
  .paper { fill: #0d1117 }
  .box { fill: #161b22; stroke: #8b949e }
  .frame, .line { stroke: #8b949e }
  .arrow { fill: #8b949e }
  text { fill: #e6edf3 }
  .note { fill: #9da7b1 }
${COLOURS.map(([kinds, , dark]) => `  ${selector(kinds)} { stroke: ${dark} }`).join('\n')}
}
`;

function selector(kinds: string): string {
  return kinds
    .split(' ')
    .map((kind) => `.${kind} .box`)
    .join(', ');
}

/**
 * The graph as an SVG picture that needs nothing else: it follows the light or dark setting of whoever looks at it, and
 * its title and description are what a screen reader says.
 * @param title the name of the skill
 */
export function toSvg(graph: FlowGraph, title: string): string {
  const { width, height, drawing } = layOut(graph.nodes);
  const [w, h] = [Math.ceil(width) + 2 * MARGIN, Math.ceil(height) + 2 * MARGIN];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" role="img" aria-labelledby="flow-title flow-desc">`,
    `<title id="flow-title">${escape(`Flow of ${title}`)}</title>`,
    `<desc id="flow-desc">${escape(graph.nodes.map(outline).join(' '))}</desc>`,
    `<style>${STYLE}</style>`,
    `<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="arrow" d="M0 0L8 4L0 8z"/></marker></defs>`,
    `<rect class="paper" width="${w}" height="${h}"/>`,
    `<g transform="translate(${MARGIN} ${MARGIN})">`,
    ...drawing.nodes.filter((placed) => placed.isFrame).map(renderNode),
    ...drawing.lines.map(renderLine),
    ...drawing.nodes.filter((placed) => !placed.isFrame).map(renderNode),
    ...drawing.labels.map(renderLabel),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

/** The flow in words, for those who do not see the picture. */
function outline(node: FlowNode): string {
  const what = node.kind === node.label || node.kind === 'branch' ? node.label : `${node.kind} ${node.label}`;
  const guarded = node.when === '' ? what : `${what} (when ${node.when})`;
  return node.children.length === 0
    ? `${guarded};`
    : `${guarded}: [${node.children.map(outline).join(' ')}];`;
}

function renderNode(placed: PlacedNode): string {
  const { node, lines, isFrame, x, y, width } = placed;
  const middle = round(x + width / 2);
  const texts = lines.map(({ text, style }, index) => {
    const top = round(y + PADDING / 2 + LINE_HEIGHT * (index + 0.75));
    return `<text class="${style}" x="${middle}" y="${top}" text-anchor="middle">${escape(text)}</text>`;
  });
  const tooltip = [node.label, node.text, node.when === '' ? '' : `when ${node.when}`, ...node.notes];
  const hint = `<title>${escape(tooltip.filter((line) => line !== '').join('\n'))}</title>`;
  return `<g class="${node.kind}" data-id="${escape(node.id)}">${hint}${isFrame ? rectangle(placed, 'frame', 8) : outlineOf(placed)}${texts.join('')}</g>`;
}

function rectangle({ x, y, width, height }: PlacedNode, style: 'box' | 'frame', radius: number): string {
  return `<rect class="${style}" x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="${radius}"/>`;
}

/** The shape of a box, which says its kind beside the colour. */
function outlineOf(placed: PlacedNode): string {
  const { node, x, y, width, height } = placed;
  const cut = PADDING;
  const [left, right, top, bottom] = [x, x + width, y, y + height];
  switch (node.kind) {
    case 'if':
    case 'switch':
      return polygon([
        [left + cut, top],
        [right - cut, top],
        [right, y + height / 2],
        [right - cut, bottom],
        [left + cut, bottom],
        [left, y + height / 2],
      ]);
    case 'delegate':
    case 'ask': {
      const lean = node.kind === 'delegate' ? cut : 0;
      return polygon([
        [left + lean, top],
        [right - cut + lean, top],
        [right - lean, bottom],
        [left + cut - lean, bottom],
      ]);
    }
    case 'call': {
      const bars = [left + 5, right - 5]
        .map((at) => `<path class="line" d="M${round(at)} ${round(top)}V${round(bottom)}"/>`)
        .join('');
      return rectangle(placed, 'box', 2) + bars;
    }
    case 'start':
    case 'end':
    case 'exit':
      return rectangle(placed, 'box', Math.min(14, height / 2));
    default:
      return rectangle(placed, 'box', 5);
  }
}

function polygon(points: readonly (readonly [x: number, y: number])[]): string {
  return `<polygon class="box" points="${points.map(([x, y]) => `${round(x)},${round(y)}`).join(' ')}"/>`;
}

function renderLine({ points, hasArrow }: PlacedLine): string {
  const path = points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('');
  return `<path class="line" d="${path}"${hasArrow ? ' marker-end="url(#tip)"' : ''}/>`;
}

function renderLabel({ line, x, y }: PlacedLabel): string {
  return `<text class="${line.style}" x="${round(x)}" y="${round(y)}">${escape(line.text)}</text>`;
}

function round(length: number): number {
  return Math.round(length * 10) / 10;
}

// What XML does not allow, and what turns the direction of writing.
const UNPRINTABLE = /(?!\n)\p{Cc}|[\p{Cs}\ufffe\uffff\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escape(text: string): string {
  return text.replaceAll(UNPRINTABLE, ' ').replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
}
