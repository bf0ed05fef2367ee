import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../api.ts';

/** Says why a turn has not ended. */
export function WhyNote({ turnId }: { turnId: string }): ReactNode {
  const why = useQuery({
    queryKey: ['why', turnId],
    queryFn: () => api().explainTurn({ turnId }),
    refetchInterval: 3000,
  });
  if (why.data === undefined) return null;
  const { jobs, moreJobs } = why.data;
  return (
    <details className="note" open={jobs.length <= 5}>
      <summary>{why.data.why}</summary>
      <ul>
        {jobs.map((job) => (
          <li key={job.jobId}>
            <strong>{job.step || job.kind}</strong> {job.why}
          </li>
        ))}
        {moreJobs > 0 && <li>{moreJobs} more</li>}
      </ul>
    </details>
  );
}
