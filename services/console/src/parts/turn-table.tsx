import type { TurnSummary } from '@skillyard/contracts';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useCaller } from '../access/use-caller.ts';
import { durationText } from '../text/duration.ts';
import { LabelsList } from './labels-list.tsx';
import { Moment } from './moment.tsx';
import { OutcomeMark } from './outcome-mark.tsx';

/** Turns, one a row; every row leads to its turn. */
export function TurnTable({ turns }: { turns: readonly TurnSummary[] }): ReactNode {
  const { actsForAll } = useCaller();
  const nowMs = Date.now();
  return (
    <div className="wide">
      <table>
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">Skill</th>
            <th scope="col">Turn</th>
            {actsForAll && <th scope="col">Tenant</th>}
            <th scope="col">Labels</th>
            <th scope="col">Submitted</th>
            <th scope="col" className="number">
              Duration
            </th>
          </tr>
        </thead>
        <tbody>
          {turns.map((turn) => (
            <tr key={turn.turnId} className="leads">
              <td>
                <OutcomeMark state={turn.status} />
                {turn.waiting > 0 && <span className="quiet"> waits for an answer</span>}
              </td>
              <td>{turn.skill}</td>
              <td>
                <Link href={`/turns/${turn.turnId}`} className="id">
                  {turn.turnId}
                </Link>
                {turn.error !== null && <span className="code"> {turn.error.code}</span>}
              </td>
              {actsForAll && <td>{turn.tenant}</td>}
              <td>
                <LabelsList labels={turn.labels} />
              </td>
              <td>
                <Moment atMs={turn.submittedAtMs} />
              </td>
              <td className="number">{lasted(turn, nowMs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** From its start to its end; a queued turn has waited so long. */
function lasted({ submittedAtMs, startedAtMs, endedAtMs }: TurnSummary, nowMs: number): string {
  return durationText((endedAtMs ?? nowMs) - (startedAtMs ?? submittedAtMs));
}
