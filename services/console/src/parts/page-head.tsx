import type { ReactNode } from 'react';

/** The heading of a page, its name in the browser, and what can be done with the whole of it. */
export function PageHead({ title, children }: { title: string; children?: ReactNode }): ReactNode {
  return (
    <div className="head">
      <title>{`${title} - Skillyard`}</title>
      <h1>{title}</h1>
      {children}
    </div>
  );
}
