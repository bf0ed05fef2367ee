import type { ResolveBody } from '@skillyard/contracts';
import { useMutation } from '@tanstack/react-query';
import { useId, useRef, useState, type ReactNode } from 'react';
import { api } from '../api.ts';
import { ProblemNote } from './problem-note.tsx';

interface ResolveButtonProps {
  readonly jobId: string;
  readonly unavailable: string | null;
  readonly onDone: () => void;
}

/** Lets a person decide about a job of which nobody knows whether it had its effect. */
export function ResolveButton({ jobId, unavailable, onDone }: ResolveButtonProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const title = useId();
  const resolve = useMutation({
    mutationFn: (body: ResolveBody) => api().resolveJob({ jobId, body }),
    onSuccess: () => {
      dialog.current?.close();
      onDone();
    },
  });
  return (
    <>
      <button
        type="button"
        disabled={unavailable !== null}
        title={unavailable ?? undefined}
        onClick={() => dialog.current?.showModal()}
      >
        Resolve…
      </button>
      <dialog ref={dialog} aria-labelledby={title}>
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            resolve.mutate({ text });
          }}
        >
          <h2 id={title}>What became of the job?</h2>
          <label className="field">
            <span>It was done, and gave this text</span>
            <textarea rows={4} value={text} onChange={(event) => setText(event.target.value)} />
          </label>
          {resolve.error !== null && <ProblemNote error={resolve.error} />}
          <div className="actions">
            <button type="button" onClick={() => dialog.current?.close()}>
              Go back
            </button>
            <button type="button" onClick={() => resolve.mutate({ rerun: true })}>
              It may be repeated: run it again
            </button>
            <button type="submit" className="main">
              Go on with this text
            </button>
          </div>
        </form>
      </dialog>
    </>
  );
}
