import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../api.ts';
import { ConfirmButton } from './confirm-button.tsx';
import { ProblemNote } from './problem-note.tsx';
import { ResolveButton } from './resolve-button.tsx';

/** What an operator can do about a failed job. */
export function JobActions({ jobId, onDone }: { jobId: string; onDone: () => void }): ReactNode {
  const inspected = useQuery({
    queryKey: ['failed-job', jobId],
    queryFn: () => api().inspectJob({ jobId }),
  });
  const redrive = useMutation({ mutationFn: () => api().redriveJob({ jobId }), onSuccess: onDone });
  if (inspected.error !== null) return <ProblemNote error={inspected.error} />;
  if (inspected.data === undefined) return <p className="quiet">Loading…</p>;
  const { notRedrivable, notResolvable } = inspected.data;
  return (
    <div className="stack">
      <div className="actions">
        <ConfirmButton
          name="Redrive"
          question="Run this job again? Its turn goes on with what the job gives."
          unavailable={notRedrivable}
          onConfirm={() => redrive.mutate()}
        />
        <ResolveButton jobId={jobId} unavailable={notResolvable} onDone={onDone} />
      </div>
      {notRedrivable !== null && <p className="quiet">It cannot be redriven: {notRedrivable}</p>}
      {redrive.error !== null && <ProblemNote error={redrive.error} />}
    </div>
  );
}
