import { SkillyardError } from '@skillyard/contracts';
import type { ReactNode } from 'react';

/** Says what went wrong, and what to do: the detail of a problem says it. */
export function ProblemNote({ error, retry }: { error: Error; retry?: () => void }): ReactNode {
  const code = SkillyardError.is(error) ? error.code : error.name;
  return (
    <div className="note bad" role="alert">
      <p className="lines">
        <strong>{code}</strong> {error.message}
      </p>
      {retry !== undefined && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}
