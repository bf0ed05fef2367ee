import type { TurnRequestBody } from '@skillyard/contracts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { useCaller } from '../access/use-caller.ts';
import { api } from '../api.ts';
import { CheckReport } from '../parts/check-report.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { SkillChoiceFields } from '../parts/skill-choice-fields.tsx';
import { NO_FIELDS, TurnFields } from '../parts/turn-fields.tsx';
import { namedLines } from '../turn/named-lines.ts';

/** Hands in a turn, and goes to it. */
export function SubmitPage(): ReactNode {
  const caller = useCaller();
  return (
    <>
      <PageHead title="Submit a turn" />
      {caller.may('submit') ? (
        <SubmitForm />
      ) : (
        <p className="note">Turns are submitted with keys that have the scope submit; yours has not.</p>
      )}
    </>
  );
}

function SubmitForm(): ReactNode {
  const [address] = useSearchParams();
  const [, go] = useLocation();
  const [name, setName] = useState(address.get('skill') ?? '');
  const [text, setText] = useState('');
  const [byText, setByText] = useState(false);
  const [fields, setFields] = useState(NO_FIELDS);
  const skill = useQuery({
    queryKey: ['skill', name, undefined],
    queryFn: () => api().getSkill({ name }),
    enabled: !byText && name !== '',
  });
  const source = byText ? text : (skill.data?.text ?? '');
  const check = useMutation({ mutationFn: () => api().checkSkill({ body: { text: source } }) });
  const submit = useMutation({
    mutationFn: (body: TurnRequestBody) => api().submitTurn({ body }),
    onSuccess: ({ turnId }) => go(`/turns/${turnId}`),
  });
  const { input, priority, tenant } = fields;
  const vars = namedLines(fields.vars);
  const labels = namedLines(fields.labels);
  const wrong = [...vars.wrong, ...labels.wrong];
  const reads = byText ? [] : (skill.data?.vars.filter((each) => each !== 'input') ?? []);
  return (
    <form
      className="stack form"
      onSubmit={(event) => {
        event.preventDefault();
        submit.mutate({
          skill: byText ? { text } : { name },
          input,
          vars: vars.values,
          labels: labels.values,
          priority: Number(priority),
          ...(tenant !== '' && { tenant }),
        });
      }}
    >
      <SkillChoiceFields
        name={name}
        setName={setName}
        text={text}
        setText={setText}
        byText={byText}
        setByText={setByText}
      />
      {skill.error !== null && !byText && <ProblemNote error={skill.error} />}
      <TurnFields fields={fields} setFields={setFields} reads={reads} />
      {wrong.length > 0 && <p className="note bad">This is no name=value: {wrong.join('; ')}</p>}
      <div className="actions">
        <button type="button" disabled={source === ''} onClick={() => check.mutate()}>
          Check
        </button>
        <button type="submit" className="main" disabled={submit.isPending || wrong.length > 0}>
          Submit
        </button>
      </div>
      {check.error !== null && <ProblemNote error={check.error} />}
      {check.data !== undefined && <CheckReport check={check.data} />}
      {submit.error !== null && <ProblemNote error={submit.error} />}
    </form>
  );
}
