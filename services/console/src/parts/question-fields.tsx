import type { Json, Question } from '@skillyard/contracts';
import { useId, type ReactNode } from 'react';

interface QuestionFieldsProps {
  readonly question: Question;
  /** What is answered so far; null for nothing yet. */
  readonly answer: Json;
  readonly onChange: (answer: Json) => void;
}

/** The form of one question, by its kind. What is missing is said by the browser. */
export function QuestionFields(props: QuestionFieldsProps): ReactNode {
  const { kind, header, text, destructive = false } = props.question;
  return (
    <fieldset className="question">
      <legend>
        {header !== undefined && <span className="quiet">{header}: </span>}
        <span className="lines">{text}</span>
      </legend>
      {destructive && (
        <p className="note bad">
          <strong>This cannot be undone.</strong> A yes does it.
        </p>
      )}
      {kind === 'text' && <TextField {...props} />}
      {kind === 'choice' && <Options {...props} />}
      {kind === 'confirm' && <YesOrNo {...props} names={['Yes', 'No']} />}
      {kind === 'plan' && <Plan {...props} />}
    </fieldset>
  );
}

function TextField({ question, answer, onChange }: QuestionFieldsProps): ReactNode {
  return (
    <textarea
      aria-label={question.text}
      rows={3}
      required
      value={typeof answer === 'string' ? answer : ''}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

function Options({ question, answer, onChange }: QuestionFieldsProps): ReactNode {
  const group = useId();
  const { options = [], multiSelect = false } = question;
  const chosen = Array.isArray(answer) ? answer : [];
  const choose = (value: string): void => {
    if (!multiSelect) return onChange(value);
    const isChosen = chosen.includes(value);
    // In the order in which they are offered.
    const wanted = (one: string): boolean => (one === value ? !isChosen : chosen.includes(one));
    onChange(options.map((option) => option.value).filter(wanted));
  };
  return options.map(({ value, label, description, preview }) => (
    <div key={value} className="option">
      <label>
        <input
          type={multiSelect ? 'checkbox' : 'radio'}
          name={group}
          required={!multiSelect}
          checked={multiSelect ? chosen.includes(value) : answer === value}
          onChange={() => choose(value)}
        />
        <span>
          {label}
          {description !== undefined && <span className="quiet"> {description}</span>}
        </span>
      </label>
      {preview !== undefined && <pre>{preview}</pre>}
    </div>
  ));
}

/** @param names of the two answers, the one for true first */
function YesOrNo({
  answer,
  onChange,
  names,
}: Pick<QuestionFieldsProps, 'answer' | 'onChange'> & {
  readonly names: readonly [string, string];
}): ReactNode {
  const group = useId();
  return (
    <div className="choices">
      {[true, false].map((value, index) => (
        <label key={names[index]}>
          <input
            type="radio"
            name={group}
            required
            checked={answer === value}
            onChange={() => onChange(value)}
          />
          {names[index]}
        </label>
      ))}
    </div>
  );
}

function Plan({ question, answer, onChange }: QuestionFieldsProps): ReactNode {
  const { approved = null, modifications = '' } =
    typeof answer === 'object' && answer !== null && !Array.isArray(answer) ? answer : {};
  const text = typeof modifications === 'string' ? modifications : '';
  return (
    <>
      <ol className="plan">
        {(question.steps ?? []).map((step, index) => (
          // Steps have nothing else to be told apart by, and never change their places.
          <li key={index}>{step}</li>
        ))}
      </ol>
      <YesOrNo
        answer={approved}
        names={['Approve', 'Do it differently']}
        onChange={(value) => onChange(planAnswer(value, text))}
      />
      <label className="field">
        <span>What to do differently</span>
        <textarea
          rows={3}
          required={approved === false}
          value={text}
          onChange={(event) => onChange(planAnswer(approved, event.target.value))}
        />
      </label>
    </>
  );
}

function planAnswer(approved: Json, modifications: string): Json {
  return { approved, ...(modifications !== '' && { modifications }) };
}
