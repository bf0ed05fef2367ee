import type { ReactNode } from 'react';

/** A text as it is, under its name. Long ones scroll. */
export function TextBlock({ title, text }: { title: string; text: string }): ReactNode {
  return (
    <section className="text-block" aria-label={title}>
      <h3>{title}</h3>
      <pre tabIndex={0}>{text === '' ? '(empty)' : text}</pre>
    </section>
  );
}
