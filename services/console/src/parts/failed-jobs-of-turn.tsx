import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useCaller } from '../access/use-caller.ts';
import { api } from '../api.ts';
import { FailedJobTable } from './failed-job-table.tsx';
import { JobActions } from './job-actions.tsx';

/** Failed jobs that are looked through for those of a turn. */
const LOOKED_THROUGH = 200;
/** The latest, which may have ended the turn; what can be done about the others is asked for when somebody wants to know. */
const SHOWN_WHOLE = 3;

/** The failed jobs of a turn, for who may do something about them. Nothing when they are no longer remembered. */
export function FailedJobsOfTurn({ turnId, refresh }: { turnId: string; refresh: () => void }): ReactNode {
  const mayOperate = useCaller().may('operate');
  const failed = useQuery({
    queryKey: ['failed-jobs-of-turn', turnId],
    queryFn: () => api().listFailedJobs({ limit: LOOKED_THROUGH }),
    enabled: mayOperate,
  });
  const jobs = failed.data?.jobs.filter(({ jobId }) => jobId.startsWith(`${turnId}.`)) ?? [];
  const others = jobs.slice(SHOWN_WHOLE);
  return (
    <>
      {jobs.slice(0, SHOWN_WHOLE).map((job) => (
        <section className="note" key={job.jobId} aria-label={`Failed job ${job.step || job.kind}`}>
          <p>
            <strong>{job.step || job.kind}</strong> <span className="id">{job.target}</span> {job.code}
          </p>
          <JobActions jobId={job.jobId} onDone={refresh} />
        </section>
      ))}
      {others.length > 0 && (
        <details>
          <summary>{`${others.length} more failed ${others.length === 1 ? 'job' : 'jobs'}`}</summary>
          <FailedJobTable jobs={others} onDone={refresh} />
        </details>
      )}
    </>
  );
}
