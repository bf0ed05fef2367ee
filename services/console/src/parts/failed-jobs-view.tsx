import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../api.ts';
import { ConfirmButton } from './confirm-button.tsx';
import { FailedJobTable } from './failed-job-table.tsx';
import { ProblemNote } from './problem-note.tsx';

interface FailedJobsViewProps {
  readonly workerClass: string;
  readonly refresh: () => void;
}

const PAGE_SIZE = 50;

/** The failed jobs of a class, the newest first, with what can be done about one and about all. */
export function FailedJobsView({ workerClass, refresh }: FailedJobsViewProps): ReactNode {
  const failed = useInfiniteQuery({
    queryKey: ['failed-jobs', workerClass],
    queryFn: ({ pageParam }) =>
      api().listFailedJobs({
        class: workerClass,
        limit: PAGE_SIZE,
        ...(pageParam !== null && { cursor: pageParam }),
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
  const done = (): void => {
    void failed.refetch();
    refresh();
  };
  const redrive = useMutation({
    mutationFn: () => api().redriveClass({ class: workerClass }),
    onSettled: done,
  });
  const jobs = failed.data?.pages.flatMap((page) => page.jobs) ?? [];
  return (
    <section className="stack" aria-label={`Failed jobs of ${workerClass}`}>
      <div className="head">
        <h2>Failed jobs of {workerClass}</h2>
        <ConfirmButton
          name="Redrive all"
          question={`Run every failed job of ${workerClass} again that can be? Their turns go on.`}
          unavailable={jobs.length === 0 ? 'There are none' : null}
          onConfirm={() => redrive.mutate()}
        />
      </div>
      {failed.error !== null && <ProblemNote error={failed.error} retry={() => void failed.refetch()} />}
      {redrive.error !== null && <ProblemNote error={redrive.error} />}
      {redrive.data !== undefined && (
        <div className="note" role="status">
          <p>{`${redrive.data.redriven.length} redriven, ${redrive.data.refused.length} refused`}</p>
          <ul>
            {redrive.data.refused.slice(0, 20).map(({ jobId, reason }) => (
              <li key={jobId}>
                <span className="id">{jobId}</span>: {reason}
              </li>
            ))}
          </ul>
        </div>
      )}
      {failed.isSuccess && jobs.length === 0 && <p className="note">No failed job is remembered.</p>}
      {jobs.length > 0 && <FailedJobTable jobs={jobs} onDone={done} />}
      {failed.hasNextPage && (
        <button type="button" onClick={() => void failed.fetchNextPage()}>
          Older
        </button>
      )}
    </section>
  );
}
