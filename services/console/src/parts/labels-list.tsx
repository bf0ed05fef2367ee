import type { Labels } from '@skillyard/contracts';
import type { ReactNode } from 'react';

/** The labels of a turn, in the order of their names. */
export function LabelsList({ labels }: { labels: Labels }): ReactNode {
  return Object.entries(labels)
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, value]) => (
      <span className="label" key={name}>
        {name}={value}
      </span>
    ));
}
