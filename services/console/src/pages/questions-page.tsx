import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'wouter';
import { api } from '../api.ts';
import { PageHead } from '../parts/page-head.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { QuestionForm } from '../parts/question-form.tsx';

const LIMIT = 20;

/** All questions that wait for a person, the one that has waited longest first. */
export function QuestionsPage(): ReactNode {
  const [address] = useSearchParams();
  const cursor = address.get('cursor');
  const query = { limit: LIMIT, ...(cursor !== null && { cursor }) };
  const open = useQuery({
    queryKey: ['questions', query],
    queryFn: () => api().listQuestions(query),
    refetchInterval: 2000,
    placeholderData: keepPreviousData,
  });
  const refresh = (): void => void open.refetch();
  return (
    <>
      <PageHead title="Questions" />
      {open.error !== null && <ProblemNote error={open.error} retry={refresh} />}
      {open.isPending && <p className="quiet">Loading…</p>}
      {open.data?.questions.length === 0 && (
        <p className="note">
          No turn waits for an answer. A skill asks people with the step <code>ask</code>.
        </p>
      )}
      <div className="stack form">
        {open.data?.questions.map((asked) => (
          <QuestionForm key={asked.jobId} asked={asked} namesTurn onDone={refresh} />
        ))}
      </div>
      <nav className="pager" aria-label="Pages of questions">
        {cursor !== null && <Link href="/questions">Oldest</Link>}
        {typeof open.data?.next === 'string' && (
          <Link href={`/questions?${new URLSearchParams({ cursor: open.data.next }).toString()}`}>Newer</Link>
        )}
      </nav>
    </>
  );
}
