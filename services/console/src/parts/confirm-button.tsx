import { useRef, type ReactNode } from 'react';

interface ConfirmButtonProps {
  readonly name: string;
  /** What happens, as a question. */
  readonly question: string;
  readonly onConfirm: () => void;
  /** Why it cannot be pressed; null when it can. */
  readonly unavailable: string | null;
}

/** A button whose action is asked about once more. */
export function ConfirmButton({ name, question, onConfirm, unavailable }: ConfirmButtonProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <button
        type="button"
        disabled={unavailable !== null}
        title={unavailable ?? undefined}
        onClick={() => dialog.current?.showModal()}
      >
        {name}
      </button>
      <dialog ref={dialog} aria-label={name}>
        <p>{question}</p>
        <form method="dialog" className="actions">
          <button type="submit">No, go back</button>
          <button type="submit" className="main" onClick={onConfirm}>
            {name}
          </button>
        </form>
      </dialog>
    </>
  );
}
