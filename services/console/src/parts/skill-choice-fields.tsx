import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../api.ts';
import { ProblemNote } from './problem-note.tsx';

interface SkillChoiceFieldsProps {
  readonly name: string;
  readonly setName: (name: string) => void;
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly byText: boolean;
  readonly setByText: (byText: boolean) => void;
}

/** Which skill: one that the installation has, or a text. */
export function SkillChoiceFields(props: SkillChoiceFieldsProps): ReactNode {
  const { name, setName, text, setText, byText, setByText } = props;
  const skills = useQuery({ queryKey: ['skills'], queryFn: () => api().listSkills() });
  return (
    <fieldset>
      <legend>Skill</legend>
      <div className="choices">
        <label>
          <input type="radio" name="skill-by" checked={!byText} onChange={() => setByText(false)} /> By name
        </label>
        <label>
          <input type="radio" name="skill-by" checked={byText} onChange={() => setByText(true)} /> As a text
        </label>
      </div>
      {skills.error !== null && <ProblemNote error={skills.error} />}
      {byText ? (
        <label className="field">
          <span>Text of the skill</span>
          <textarea
            className="code-field"
            rows={12}
            required
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
      ) : (
        <label className="field">
          <span>Name of the skill</span>
          <select required value={name} onChange={(event) => setName(event.target.value)}>
            <option value="">Choose one</option>
            {skills.data?.skills.map((skill) => (
              <option key={skill.name} value={skill.name}>
                {skill.title === skill.name ? skill.name : `${skill.name}: ${skill.title}`}
              </option>
            ))}
          </select>
        </label>
      )}
    </fieldset>
  );
}
