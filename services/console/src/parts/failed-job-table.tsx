import type { FailedJobResource } from '@skillyard/contracts';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { JobActions } from './job-actions.tsx';
import { Moment } from './moment.tsx';

interface FailedJobTableProps {
  readonly jobs: readonly FailedJobResource[];
  readonly onDone: () => void;
}

/** Failed jobs, one a row. What can be done about one is asked for when somebody wants to decide. */
export function FailedJobTable({ jobs, onDone }: FailedJobTableProps): ReactNode {
  return (
    <div className="wide">
      <table>
        <thead>
          <tr>
            {['Turn', 'Step', 'Target', 'Error', 'When'].map((name) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
            <th scope="col">
              <span className="unseen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {jobs.map((job) => (
            <FailedJobRow key={job.jobId} job={job} onDone={onDone} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function FailedJobRow({ job, onDone }: { job: FailedJobResource; onDone: () => void }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const turnId = job.jobId.split('.')[0] ?? '';
  return (
    <tr>
      <td>
        <Link className="id" href={`/turns/${turnId}?step=${encodeURIComponent(job.path)}`}>
          {turnId}
        </Link>
      </td>
      <td>
        {job.step || job.kind} <span className="quiet">{job.path}</span>
      </td>
      <td className="id">{job.target}</td>
      <td>
        <span className="code">{job.code}</span> <span className="message">{job.message}</span>
      </td>
      <td>
        <Moment atMs={job.atMs} />
      </td>
      <td>
        {isOpen ? (
          <JobActions jobId={job.jobId} onDone={onDone} />
        ) : (
          <button type="button" onClick={() => setOpen(true)}>
            Decide…
          </button>
        )}
      </td>
    </tr>
  );
}
