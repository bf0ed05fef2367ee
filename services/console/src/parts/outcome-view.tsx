import type { TurnResource } from '@skillyard/contracts';
import type { ReactNode } from 'react';
import { TextBlock } from './text-block.tsx';

/** What a turn gave: its answer, and every variable a step wrote. */
export function OutcomeView({ turn }: { turn: TurnResource }): ReactNode {
  const { outcome } = turn;
  if (outcome === null) return <p className="note">The turn has not ended: there is no result yet.</p>;
  const vars = Object.entries(outcome.vars).filter(([name]) => name !== 'answer');
  return (
    <div className="stack">
      {outcome.exitReason !== null && (
        <p className="note">The flow was left: {outcome.exitReason || 'no reason is given'}</p>
      )}
      {outcome.answer === '' ? (
        <p className="note">
          There is no answer: no step wrote the variable answer, or what it wrote is empty.
        </p>
      ) : (
        <TextBlock title="Answer" text={outcome.answer} />
      )}
      {vars.map(([name, value]) => (
        <TextBlock key={name} title={name} text={value} />
      ))}
      {outcome.skipped.length > 0 && <p className="quiet">Skipped: {outcome.skipped.join(', ')}</p>}
    </div>
  );
}
