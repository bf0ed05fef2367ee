import type { ReactNode } from 'react';

const SHORT = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

/** A time of the clock where the reader is; the whole of it, in UTC, when pointed at. */
export function Moment({ atMs }: { atMs: number | null }): ReactNode {
  if (atMs === null) return <span className="quiet">-</span>;
  const date = new Date(atMs);
  return (
    <time dateTime={date.toISOString()} title={date.toISOString()}>
      {SHORT.format(date)}
    </time>
  );
}
