import type { ReactNode } from 'react';

/** The source of a skill, with the numbers of its lines. */
export function SourceView({ text }: { text: string }): ReactNode {
  const lines = text.replace(/\n$/, '').split('\n');
  return (
    <div className="source" role="region" aria-label="Source" tabIndex={0}>
      <pre aria-hidden="true" className="quiet">
        {lines.map((_, index) => index + 1).join('\n')}
      </pre>
      <pre>{lines.join('\n')}</pre>
    </div>
  );
}
