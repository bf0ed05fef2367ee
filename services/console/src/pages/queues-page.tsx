import type { QueueResource } from '@skillyard/contracts';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useCaller } from '../access/use-caller.ts';
import { api } from '../api.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { FailedJobsView } from '../parts/failed-jobs-view.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { durationText } from '../text/duration.ts';

/** The queues of all classes, and the failed jobs of one of them. */
export function QueuesPage(): ReactNode {
  const caller = useCaller();
  const [address] = useSearchParams();
  const queues = useQuery({
    queryKey: ['queues'],
    queryFn: () => api().listQueues(),
    refetchInterval: 2000,
  });
  const chosen = address.get('failed');
  const refresh = (): void => void queues.refetch();
  return (
    <>
      <PageHead title="Queues" />
      {queues.error !== null && <ProblemNote error={queues.error} retry={refresh} />}
      {queues.isPending && <p className="quiet">Loading…</p>}
      {queues.data?.queues.length === 0 && (
        <p className="note">
          There are no queues yet. Each class of workers has one, from the start of its first worker on.
        </p>
      )}
      {queues.data !== undefined && queues.data.queues.length > 0 && (
        <div className="wide">
          <table>
            <thead>
              <tr>
                <th scope="col">Class</th>
                <th scope="col">State</th>
                {[
                  'Waiting',
                  'Delayed',
                  'Active',
                  'Done per minute',
                  'Workers',
                  'At most at once',
                  'Failed',
                ].map((name) => (
                  <th scope="col" className="number" key={name}>
                    {name}
                  </th>
                ))}
                <th scope="col">
                  <span className="unseen">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {queues.data.queues.map((queue) => (
                <QueueRow key={queue.class} queue={queue} refresh={refresh} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {chosen !== null && caller.may('operate') && (
        <FailedJobsView key={chosen} workerClass={chosen} refresh={refresh} />
      )}
      {!caller.may('operate') && (
        <p className="quiet">Failed jobs are shown to keys with the scope operate.</p>
      )}
    </>
  );
}

function QueueRow({ queue, refresh }: { queue: QueueResource; refresh: () => void }): ReactNode {
  const caller = useCaller();
  const { class: name, concurrency } = queue;
  const isUnserved = queue.workers === 0 && queue.waiting > 0;
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <QueueState queue={queue} />
        {isUnserved && <span className="quiet"> no worker takes its jobs</span>}
      </td>
      <td className="number">{queue.waiting}</td>
      <td className="number">{queue.delayed}</td>
      <td className="number">{queue.active}</td>
      <td className="number">{queue.donePerMinute.toFixed(0)}</td>
      <td className="number">{queue.workers}</td>
      <td className="number">{concurrency ?? 'no limit'}</td>
      <td className="number">
        {caller.may('operate') ? (
          <Link
            href={`/queues?failed=${encodeURIComponent(name)}`}
            aria-label={`${queue.failed} failed jobs of ${name}`}
          >
            {queue.failed}
          </Link>
        ) : (
          queue.failed
        )}
      </td>
      <td>
        <PauseButton queue={queue} refresh={refresh} />
      </td>
    </tr>
  );
}

function QueueState({ queue }: { queue: QueueResource }): ReactNode {
  if (queue.paused) return <span className="mark-of warn">‖ paused</span>;
  if (queue.rateLimitedForMs > 0)
    return <span className="mark-of warn">▲ at its rate for {durationText(queue.rateLimitedForMs)}</span>;
  return <span className="mark-of good">✓ open</span>;
}

function PauseButton({ queue, refresh }: { queue: QueueResource; refresh: () => void }): ReactNode {
  const caller = useCaller();
  const workerClass = { class: queue.class };
  const change = useMutation({
    mutationFn: () => (queue.paused ? api().resumeQueue(workerClass) : api().pauseQueue(workerClass)),
    onSettled: refresh,
  });
  const unavailable =
    caller.may('operate') && caller.actsForAll
      ? null
      : 'Queues are those of all tenants: needs the scope operate, for all tenants';
  return (
    <>
      {queue.paused ? (
        <button
          type="button"
          disabled={unavailable !== null}
          title={unavailable ?? undefined}
          aria-label={`Resume ${queue.class}`}
          onClick={() => change.mutate()}
        >
          Resume
        </button>
      ) : (
        <ConfirmButton
          name={`Pause ${queue.class}`}
          question={`Pause the queue ${queue.class}? Its workers finish what they do and take nothing more, for any tenant.`}
          unavailable={unavailable}
          onConfirm={() => change.mutate()}
        />
      )}
      {change.error !== null && <ProblemNote error={change.error} />}
    </>
  );
}
