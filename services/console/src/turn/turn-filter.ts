import type { TurnQuery, TurnState } from '@skillyard/contracts';

/** The states that a list can be narrowed to, in the order a turn goes through them. */
export const TURN_STATES: readonly TurnState[] = [
  'queued',
  'running',
  'completed',
  'exited',
  'refused',
  'blocked',
  'requirement_failed',
  'failed',
  'denied',
  'cancelled',
];

/** Turns on a page: as many as one can look over, and few enough to draw again every other second. */
const PAGE_SIZE = 100;

const TEXTS = ['skill', 'search', 'tenant', 'cursor'] as const;

/** The query of the API for the address of the list. Anything else in the address is left out. */
export function turnQuery(address: URLSearchParams): TurnQuery {
  const query: TurnQuery = { limit: PAGE_SIZE };
  const states = TURN_STATES.filter((state) => address.getAll('status').includes(state));
  if (states.length > 0) query.status = states;
  const labels = address.getAll('label').filter((label) => label !== '');
  if (labels.length > 0) query.label = labels;
  for (const field of TEXTS) {
    const value = address.get(field) ?? '';
    if (value !== '') query[field] = value;
  }
  return query;
}

/** The address with another value of a field, on the first page again. */
export function withField(address: URLSearchParams, field: string, value: string): URLSearchParams {
  const changed = new URLSearchParams(address);
  changed.delete('cursor');
  if (value === '') changed.delete(field);
  else changed.set(field, value);
  return changed;
}

/** The address with a state added, or taken away when it was there. */
export function withStateToggled(address: URLSearchParams, state: TurnState): URLSearchParams {
  const changed = new URLSearchParams(address);
  changed.delete('cursor');
  if (address.getAll('status').includes(state)) changed.delete('status', state);
  else changed.append('status', state);
  return changed;
}
