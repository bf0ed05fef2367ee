import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import type { ReactNode } from 'react';
import type { FlowNode } from '@skillyard/contracts';
import type { NodeOutcome } from '../turn/node-outcomes.ts';
import { OutcomeMark, toneOf } from './outcome-mark.tsx';

/** What a node of the graph is drawn from. */
export interface FlowNodeData extends Record<string, unknown> {
  readonly node: FlowNode;
  /** It lies around others. */
  readonly isBox: boolean;
  readonly outcome: NodeOutcome | null;
  readonly isChosen: boolean;
  readonly choose: (path: string) => void;
}

/** One step in the graph: its name, what it does, what became of it and how often. */
export function FlowNodeView({ data }: NodeProps<Node<FlowNodeData>>): ReactNode {
  const { node, isBox, outcome, isChosen, choose } = data;
  const tone = outcome === null ? 'none' : toneOf(outcome.outcome);
  const form = node.kind === 'start' || node.kind === 'end' ? 'marker' : isBox ? 'box' : 'step-node';
  const name =
    outcome === null ? (
      <span className="node-name">{node.label}</span>
    ) : (
      <button
        type="button"
        className="node-name nodrag"
        aria-pressed={isChosen}
        onClick={() => choose(outcome.path)}
      >
        {node.label}
      </button>
    );
  return (
    <div className={`${form} ${tone}${isChosen ? ' chosen' : ''}`} title={hintOf(node)}>
      <Handle type="target" position={Position.Top} isConnectable={false} />
      <div className="node-head">
        {name}
        {outcome !== null && outcome.times > 1 && <span className="times">{`${outcome.times} times`}</span>}
      </div>
      <div className="node-foot">
        {outcome !== null && <OutcomeMark state={outcome.outcome} />}
        <span className="quiet clip">{node.text || kindOf(node)}</span>
      </div>
      <Handle type="source" position={Position.Bottom} isConnectable={false} />
    </div>
  );
}

function kindOf({ kind, label }: FlowNode): string {
  return kind === 'start' || kind === 'end' || kind === 'branch' || kind === label ? '' : kind;
}

function hintOf({ text, when, notes }: FlowNode): string {
  return [text, when === '' ? '' : `when ${when}`, ...notes].filter((line) => line !== '').join('\n');
}
