import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api } from '../api.ts';
import { CheckReport } from './check-report.tsx';
import { ProblemNote } from './problem-note.tsx';

/** Gives the installation a skill, or a new version of one. */
export function UploadForm({ onDone }: { onDone: () => void }): ReactNode {
  const [text, setText] = useState('');
  const check = useMutation({ mutationFn: () => api().checkSkill({ body: { text } }) });
  const upload = useMutation({ mutationFn: () => api().uploadSkill({ body: { text } }), onSuccess: onDone });
  const change = (changed: string): void => {
    setText(changed);
    check.reset();
    upload.reset();
  };
  return (
    <section className="stack" aria-label="Upload a skill">
      <h2>Upload a skill</h2>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          upload.mutate();
        }}
      >
        <label className="field">
          <span>A file</span>
          <input
            type="file"
            accept=".yaml,.yml,.md"
            onChange={(event) => void event.target.files?.[0]?.text().then(change)}
          />
        </label>
        <label className="field">
          <span>Its text</span>
          <textarea
            className="code-field"
            rows={10}
            required
            spellCheck={false}
            value={text}
            onChange={(event) => change(event.target.value)}
          />
        </label>
        <div className="actions">
          <button type="button" disabled={text === ''} onClick={() => check.mutate()}>
            Check
          </button>
          <button type="submit" className="main" disabled={upload.isPending}>
            Upload
          </button>
        </div>
      </form>
      {check.error !== null && <ProblemNote error={check.error} />}
      {check.data !== undefined && <CheckReport check={check.data} />}
      {upload.error !== null && <ProblemNote error={upload.error} />}
      {upload.data !== undefined && (
        <p className="note" role="status">
          {upload.data.name} {upload.data.version} can be used now.
        </p>
      )}
    </section>
  );
}
