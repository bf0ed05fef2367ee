import { useState, type CSSProperties, type ReactNode } from 'react';
import { durationText } from '../text/duration.ts';
import { branchOf } from '../turn/step-path.ts';
import { visibleRows, type VisibleRow, type Waterfall } from '../turn/waterfall.ts';
import { OutcomeMark, toneOf } from './outcome-mark.tsx';

interface WaterfallViewProps {
  readonly flow: Waterfall;
  readonly chosen: string | null;
  readonly choose: (path: string) => void;
}

/** A step with more steps inside is closed at first. */
const OPEN_UP_TO = 40;
/** Rows that are drawn, until more are asked for. */
const ROWS = 200;

/** The steps of a turn over time, nested as the flow is. */
export function WaterfallView({ flow, chosen, choose }: WaterfallViewProps): ReactNode {
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [limit, setLimit] = useState(ROWS);
  const isOpen = (path: string, inside: number): boolean => toggled.get(path) ?? inside <= OPEN_UP_TO;
  const rows = visibleRows(flow.rows, isOpen);
  if (rows.length === 0) return <p className="note">No step has begun yet.</p>;
  return (
    <>
      <table className="waterfall">
        <thead>
          <tr>
            <th scope="col">Step</th>
            <th scope="col">Outcome</th>
            <th scope="col">{`0 to ${durationText(flow.toMs - flow.fromMs)}`}</th>
            <th scope="col" className="number">
              Duration
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, limit).map((visible) => (
            <Step
              key={visible.row.path}
              visible={visible}
              flow={flow}
              isChosen={visible.row.path === chosen}
              isOpen={isOpen(visible.row.path, visible.inside)}
              choose={choose}
              toggle={(open) => setToggled((before) => new Map(before).set(visible.row.path, open))}
            />
          ))}
        </tbody>
      </table>
      {rows.length > limit && (
        <button type="button" onClick={() => setLimit(limit + ROWS)}>
          {`Show more: ${rows.length - limit} steps are below`}
        </button>
      )}
    </>
  );
}

interface StepProps {
  readonly visible: VisibleRow;
  readonly flow: Waterfall;
  readonly isChosen: boolean;
  readonly isOpen: boolean;
  readonly choose: (path: string) => void;
  readonly toggle: (open: boolean) => void;
}

function Step({ visible, flow, isChosen, isOpen, choose, toggle }: StepProps): ReactNode {
  const { row, depth, inside } = visible;
  const branch = branchOf(row.path);
  const notices = row.notices.length;
  return (
    <tr className={isChosen ? 'leads chosen' : 'leads'}>
      <td>
        <div className="step" style={{ '--depth': depth } as CSSProperties}>
          {inside > 0 && (
            <button
              type="button"
              className="fold"
              aria-expanded={isOpen}
              aria-label={`${inside} steps inside ${row.name}`}
              onClick={() => toggle(!isOpen)}
            >
              {isOpen ? '▾' : '▸'}
            </button>
          )}
          {branch !== '' && <span className="quiet">{branch}</span>}
          <button type="button" className="name" aria-pressed={isChosen} onClick={() => choose(row.path)}>
            {row.name}
          </button>
          <span className="quiet">
            {row.kind === row.name ? '' : row.kind}
            {!isOpen && inside > 0 ? ` (${inside} steps)` : ''}
          </span>
        </div>
      </td>
      <td>
        <OutcomeMark state={row.outcome} />
        {notices > 0 && (
          <span className="quiet">{` ${notices} ${notices === 1 ? 'notice' : 'notices'}`}</span>
        )}
      </td>
      <td className="time">
        <Bar flow={flow} row={row} />
      </td>
      <td className="number">{row.durationMs === null ? '' : durationText(row.durationMs)}</td>
    </tr>
  );
}

/** When a step ran, in the span of the turn. What the columns beside it say is not said again. */
function Bar({ flow, row }: { flow: Waterfall; row: VisibleRow['row'] }): ReactNode {
  const span = Math.max(1, flow.toMs - flow.fromMs);
  const from = ((row.startedAtMs - flow.fromMs) / span) * 100;
  const width = ((row.durationMs ?? flow.toMs - row.startedAtMs) / span) * 100;
  return (
    <span
      aria-hidden="true"
      className={`time-bar ${toneOf(row.outcome)}`}
      style={{ left: `${from}%`, width: `max(3px, ${width}%)` }}
    />
  );
}
