import type { TurnResource } from '@skillyard/contracts';
import type { ReactNode } from 'react';
import { RequirementsView } from './requirements-view.tsx';
import { TextBlock } from './text-block.tsx';

/** What a turn gave: its answer, what it claimed, and every variable a step wrote. */
export function OutcomeView({ turn }: { turn: TurnResource }): ReactNode {
  const { outcome } = turn;
  if (outcome === null) return <p className="note">The turn has not ended: there is no result yet.</p>;
  const { requirements = [] } = outcome;
  const vars = Object.entries(outcome.vars).filter(([name]) => name !== 'answer');
  return (
    <div className="stack">
      {outcome.answer === '' ? (
        <p className="note">
          {outcome.exitReason === ''
            ? 'There is no answer: no step wrote the variable answer, or what it wrote is empty.'
            : 'There is no answer: the turn ended before one.'}
        </p>
      ) : (
        <TextBlock title="Answer" text={outcome.answer} />
      )}
      {requirements.length > 0 && <RequirementsView requirements={requirements} />}
      {vars.map(([name, value]) => (
        <TextBlock key={name} title={name} text={value} />
      ))}
      {outcome.skipped.length > 0 && <p className="quiet">Skipped: {outcome.skipped.join(', ')}</p>}
    </div>
  );
}
