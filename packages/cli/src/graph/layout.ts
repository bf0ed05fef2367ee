import type { FlowNode } from '@skillyard/contracts';
import { clipLine, type TextLine, textLines, widthOf } from './text-lines.ts';

/** A node in its place; all lengths are pixels. A frame has its children inside. */
export interface PlacedNode {
  readonly node: FlowNode;
  readonly lines: readonly TextLine[];
  readonly isFrame: boolean;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A line from place to place, straight down or across. */
export interface PlacedLine {
  readonly points: readonly (readonly [x: number, y: number])[];
  readonly hasArrow: boolean;
}

export interface PlacedLabel {
  readonly line: TextLine;
  readonly x: number;
  readonly y: number;
}

/** Everything there is to draw, each frame before what it holds. */
export interface Drawing {
  readonly nodes: PlacedNode[];
  readonly lines: PlacedLine[];
  readonly labels: PlacedLabel[];
}

export const LINE_HEIGHT = 17;
/** Between the edge of a box and its text. */
export const PADDING = 10;
/** Between a step and the next one. */
const STEP_GAP = 26;
const LANE_GAP = 22;
/** Between an `if` and the steps of its branches; the names of the branches stand there. */
const FAN_HEIGHT = 40;
const FAN_BUS = 12;
const FRAME_PADDING = 14;
/** A branch without steps is a line. */
const EMPTY_LANE = 20;

/**
 * A part of the picture that can be put somewhere. The flow comes in at its top and goes on from its bottom, both at
 * `axis`, counted from its left edge.
 */
interface Block {
  readonly width: number;
  readonly height: number;
  readonly axis: number;
  /** The flow leaves it at the bottom; not so behind an `exit`. */
  readonly goesOn: boolean;
  readonly place: (x: number, y: number, drawing: Drawing) => void;
}

/**
 * Lays out a flow from top to bottom: steps below each other, branches side by side, loops and the branches of a
 * parallel in frames. A flow is nested lists, so no line ever crosses another.
 */
export function layOut(nodes: readonly FlowNode[]): {
  readonly width: number;
  readonly height: number;
  readonly drawing: Drawing;
} {
  const block = sequence(nodes);
  const drawing: Drawing = { nodes: [], lines: [], labels: [] };
  block.place(0, 0, drawing);
  return { width: block.width, height: block.height, drawing };
}

function blockOf(node: FlowNode): Block {
  if (node.kind === 'if' || node.kind === 'switch') return choice(node);
  if (node.children.length === 0) return leaf(node);
  return frame(node, node.kind === 'parallel' ? row(node.children.map(blockOf)) : sequence(node.children));
}

function leaf(node: FlowNode): Block {
  const lines = textLines(node);
  const width = largest(lines.map(widthOf), 60) + 2 * PADDING + (isPointed(node) ? 2 * PADDING : 0);
  const height = lines.length * LINE_HEIGHT + PADDING;
  return {
    width,
    height,
    axis: width / 2,
    goesOn: node.kind !== 'exit' || node.when !== '',
    place: (x, y, { nodes }) => void nodes.push({ node, lines, isFrame: false, x, y, width, height }),
  };
}

/** Its sides are no straight lines, so that there is less room for text. */
function isPointed({ kind }: FlowNode): boolean {
  return kind === 'if' || kind === 'switch' || kind === 'ask' || kind === 'delegate';
}

function sequence(nodes: readonly FlowNode[]): Block {
  const blocks = nodes.map(blockOf);
  const axis = largest(
    blocks.map((block) => block.axis),
    EMPTY_LANE / 2,
  );
  const right = largest(
    blocks.map((block) => block.width - block.axis),
    EMPTY_LANE / 2,
  );
  const gaps = Math.max(0, blocks.length - 1) * STEP_GAP;
  return {
    width: axis + right,
    height: blocks.reduce((sum, block) => sum + block.height, gaps),
    axis,
    goesOn: blocks.at(-1)?.goesOn ?? true,
    place(x, y, drawing) {
      let top = y;
      for (const [index, block] of blocks.entries()) {
        block.place(x + axis - block.axis, top, drawing);
        const bottom = top + block.height;
        top = bottom + STEP_GAP;
        if (index === blocks.length - 1 || !block.goesOn) continue;
        drawing.lines.push({
          points: [
            [x + axis, bottom],
            [x + axis, top],
          ],
          hasArrow: true,
        });
      }
    },
  };
}

/** Side by side, with nothing between them. */
function row(blocks: readonly Block[]): Block {
  const width = blocks.reduce((sum, block) => sum + block.width, LANE_GAP * Math.max(0, blocks.length - 1));
  return {
    width,
    height: largest(blocks.map((block) => block.height)),
    axis: width / 2,
    goesOn: true,
    place(x, y, drawing) {
      let left = x;
      for (const block of blocks) {
        block.place(left, y, drawing);
        left += block.width + LANE_GAP;
      }
    },
  };
}

function frame(node: FlowNode, inside: Block): Block {
  const lines = textLines(node);
  const half = largest(lines.map(widthOf)) / 2 + PADDING;
  const axis = Math.max(half, inside.axis + FRAME_PADDING);
  const width = axis + Math.max(half, inside.width - inside.axis + FRAME_PADDING);
  const head = lines.length * LINE_HEIGHT + PADDING + FRAME_PADDING / 2;
  const height = head + inside.height + FRAME_PADDING;
  return {
    width,
    height,
    axis,
    goesOn: true,
    place(x, y, drawing) {
      drawing.nodes.push({ node, lines, isFrame: true, x, y, width, height });
      inside.place(x + axis - inside.axis, y + head, drawing);
    },
  };
}

interface Lane {
  readonly name: TextLine;
  readonly block: Block;
  readonly width: number;
}

/** An if or a switch: its branches stand below it and come together again. */
function choice(node: FlowNode): Block {
  const head = leaf(node);
  const lanes = node.children.map((branch) => lane(branch.label, sequence(branch.children)));
  if (node.when !== '') lanes.push(lane('skipped', sequence([])));
  const lanesWidth = lanes.reduce((sum, { width }) => sum + width, LANE_GAP * (lanes.length - 1));
  const width = Math.max(head.width, lanesWidth);
  const axis = width / 2;
  const lanesTop = head.height + FAN_HEIGHT;
  const height = lanesTop + largest(lanes.map(({ block }) => block.height)) + FAN_BUS;
  return {
    width,
    height,
    axis,
    goesOn: lanes.some(({ block }) => block.goesOn),
    place(x, y, drawing) {
      head.place(x + axis - head.axis, y, drawing);
      let left = x + axis - lanesWidth / 2;
      for (const one of lanes) {
        placeLane(one, left, { axis: x + axis, top: y + head.height, bottom: y + height }, drawing);
        left += one.width + LANE_GAP;
      }
    },
  };
}

function lane(label: string, block: Block): Lane {
  const name: TextLine = { text: clipLine(label), style: 'note' };
  return { name, block, width: Math.max(block.width, block.axis + widthOf(name) + PADDING) };
}

/** @param fan where the line from above and the line that goes on are */
function placeLane(
  { name, block }: Lane,
  left: number,
  fan: { readonly axis: number; readonly top: number; readonly bottom: number },
  drawing: Drawing,
): void {
  const axis = left + block.axis;
  const top = fan.top + FAN_HEIGHT;
  block.place(left, top, drawing);
  drawing.labels.push({ line: name, x: axis + 5, y: top - FAN_BUS + 2 });
  const isEmpty = block.height === 0;
  drawing.lines.push({
    points: [
      [fan.axis, fan.top],
      [fan.axis, fan.top + FAN_BUS],
      [axis, fan.top + FAN_BUS],
      [axis, top],
    ],
    hasArrow: !isEmpty,
  });
  if (!block.goesOn) return;
  drawing.lines.push({
    points: [
      [axis, top + block.height],
      [axis, fan.bottom],
      [fan.axis, fan.bottom],
    ],
    hasArrow: false,
  });
}

/** Spread into arguments, the lengths of a flow of 100,000 steps would be more than a call takes. */
function largest(lengths: readonly number[], least = 0): number {
  return lengths.reduce((most, length) => Math.max(most, length), least);
}
