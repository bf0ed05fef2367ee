import type { Json, OpenQuestion, Question } from '@skillyard/contracts';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { useCaller } from '../access/use-caller.ts';
import { api } from '../api.ts';
import { Moment } from './moment.tsx';
import { ProblemNote } from './problem-note.tsx';
import { QuestionFields } from './question-fields.tsx';

interface QuestionFormProps {
  readonly asked: OpenQuestion;
  /** Whether it is said which turn asks: not on the page of the turn. */
  readonly namesTurn: boolean;
  readonly onDone: () => void;
}

/** Questions that a turn asks together, with what is needed to answer them. */
export function QuestionForm({ asked, namesTurn, onDone }: QuestionFormProps): ReactNode {
  const caller = useCaller();
  const { turnId, jobId, questions } = asked;
  const [answers, setAnswers] = useState(() => questions.map(suggestedAnswer));
  const send = useMutation({
    mutationFn: () => api().answerQuestion({ turnId, jobId, body: { answers } }),
    onSuccess: onDone,
  });
  const mayAnswer = caller.may('answer');
  const change = (at: number, answer: Json): void =>
    setAnswers((before) => before.map((other, index) => (index === at ? answer : other)));
  return (
    <form
      className="note stack"
      aria-label={`Question of ${asked.step || asked.path}`}
      onSubmit={(event) => {
        event.preventDefault();
        send.mutate();
      }}
    >
      <QuestionHead asked={asked} namesTurn={namesTurn} />
      {questions.map((question, index) => (
        <QuestionFields
          // Questions of one job never change their places.
          key={index}
          question={question}
          answer={answers[index] ?? null}
          onChange={(answer) => change(index, answer)}
        />
      ))}
      {send.error !== null && <ProblemNote error={send.error} />}
      <div className="actions">
        <button type="submit" className="main" disabled={!mayAnswer || send.isPending || send.isSuccess}>
          {send.isSuccess ? 'Answered' : 'Answer'}
        </button>
        {!mayAnswer && <span className="quiet">Needs the scope answer</span>}
      </div>
    </form>
  );
}

function QuestionHead({ asked, namesTurn }: Pick<QuestionFormProps, 'asked' | 'namesTurn'>): ReactNode {
  const { actsForAll } = useCaller();
  const { turnId, tenant, skill, step, path, askedAtMs, expiresAtMs } = asked;
  return (
    <p>
      {namesTurn && (
        <>
          <strong>{skill}</strong>{' '}
          <Link href={`/turns/${turnId}`} className="id">
            {turnId}
          </Link>{' '}
          {actsForAll && <span className="quiet">{tenant} </span>}
        </>
      )}
      <strong>{step || path}</strong>{' '}
      <span className="quiet">
        asked <Moment atMs={askedAtMs} />
        {expiresAtMs !== null && (
          <>
            , until <Moment atMs={expiresAtMs} />
          </>
        )}
      </span>
    </p>
  );
}

/** What stands in the form before anybody touched it; null for nothing. */
function suggestedAnswer({ kind, multiSelect, default: suggested }: Question): Json {
  if (kind === 'confirm') return suggested ?? null;
  return kind === 'choice' && multiSelect === true ? [] : null;
}
