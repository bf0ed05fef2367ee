import { SkillyardError } from '@skillyard/contracts';
import type { ReactNode } from 'react';

/** Says what went wrong, and what to do: the detail of a problem says it. */
export function ProblemNote({ error, retry }: { error: Error; retry?: () => void }): ReactNode {
  const code = SkillyardError.is(error) ? error.code : error.name;
  return (
    <div className="note bad" role="alert">
      <p>
        <strong>{code}</strong> {error.message}
      </p>
      <ul>
        {diagnosticsOf(error).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {retry !== undefined && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** What is wrong with a skill that is refused, line by line. */
function diagnosticsOf(error: Error): string[] {
  const lines = SkillyardError.is(error) ? error.details['diagnostics'] : [];
  return Array.isArray(lines) ? lines.map(String) : [];
}
