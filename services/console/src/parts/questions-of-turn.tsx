import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../api.ts';
import { ProblemNote } from './problem-note.tsx';
import { QuestionForm } from './question-form.tsx';

/** What a turn waits for a person to answer. */
export function QuestionsOfTurn({ turnId, refresh }: { turnId: string; refresh: () => void }): ReactNode {
  const open = useQuery({
    queryKey: ['turn-questions', turnId],
    queryFn: () => api().listTurnQuestions({ turnId }),
    refetchInterval: 3000,
  });
  if (open.error !== null) return <ProblemNote error={open.error} retry={() => void open.refetch()} />;
  const done = (): void => {
    void open.refetch();
    refresh();
  };
  return open.data?.questions.map((asked) => (
    <QuestionForm key={asked.jobId} asked={asked} namesTurn={false} onDone={done} />
  ));
}
