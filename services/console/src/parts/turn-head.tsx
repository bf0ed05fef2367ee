import type { TurnResource } from '@skillyard/contracts';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useCaller } from '../access/use-caller.ts';
import { api } from '../api.ts';
import { ConfirmButton } from './confirm-button.tsx';
import { OutcomeMark, wordOf } from './outcome-mark.tsx';
import { PageHead } from './page-head.tsx';
import { ProblemNote } from './problem-note.tsx';

interface TurnHeadProps {
  readonly turn: TurnResource;
  readonly refresh: () => void;
}

/** What a turn is called, how it stands, why it failed or ended early, and how it is cancelled. */
export function TurnHead({ turn, refresh }: TurnHeadProps): ReactNode {
  const caller = useCaller();
  const cancel = useMutation({
    mutationFn: () => api().cancelTurn({ turnId: turn.turnId, body: { reason: 'asked for in the console' } }),
    onSettled: refresh,
  });
  const error = turn.error ?? turn.outcome?.error ?? null;
  const reason = turn.outcome?.exitReason ?? null;
  return (
    <>
      <PageHead title={turn.skill}>
        <OutcomeMark state={turn.status} />
        <span className="id">{turn.turnId}</span>
        {turn.endedAtMs === null && (
          <ConfirmButton
            name="Cancel turn"
            question="Cancel this turn? Steps that run are stopped, and what they have done stays done."
            unavailable={caller.may('submit') ? null : 'Needs the scope submit'}
            onConfirm={() => cancel.mutate()}
          />
        )}
      </PageHead>
      {cancel.error !== null && <ProblemNote error={cancel.error} />}
      {cancel.isSuccess && turn.endedAtMs === null && <p className="note">Cancelling…</p>}
      {error !== null && (
        <div className="note bad">
          <p>
            <strong>{error.code}</strong> {error.message}
          </p>
        </div>
      )}
      {reason !== null && (
        <p className={turn.status === 'exited' ? 'note' : 'note warn'}>
          <strong>{wordOf(turn.status)}</strong> {reason || 'no reason is given'}
        </p>
      )}
    </>
  );
}
