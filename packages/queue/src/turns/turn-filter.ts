import { NO_ORIGIN, type TurnOrigin } from '@skillyard/contracts';
import type { ListedTurn } from './newest-turns.ts';
import { hasEnded, type TurnState } from './turn-status.ts';

/** What is asked of a turn. What is absent is not asked. */
export interface TurnFilter {
  /** Any of these. */
  readonly status?: readonly TurnState[];
  /** The name of its skill. */
  readonly skill?: string;
  /** All of them. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Part of its id, its skill or a label, in any case of letters. */
  readonly search?: string;
}

/** Whether only turns are wanted that have not ended. */
export function asksForOpen({ status = [] }: TurnFilter): boolean {
  return status.length > 0 && !status.some(hasEnded);
}

/** The fields of a turn's hash that decide about it, as HMGET gives them: {@link FILTER_FIELDS}. */
export type FilterValues = readonly (string | null)[];

export const FILTER_FIELDS = ['status', 'name', 'file', 'origin'] as const;

/** Whether a turn is what is asked for. One that is not there is not, nor one that turns out to be another tenant's. */
export function isWanted(
  filter: TurnFilter,
  turn: ListedTurn,
  [status, name, file, origin]: FilterValues,
): boolean {
  if (status == null) return false;
  const { tenant, labels } = origin == null ? NO_ORIGIN : (JSON.parse(origin) as TurnOrigin);
  if (tenant !== turn.tenant) return false;
  const skill = name ?? file ?? '';
  if (filter.status !== undefined && !filter.status.includes(status as TurnState)) return false;
  if (filter.skill !== undefined && filter.skill !== skill) return false;
  const wanted = Object.entries(filter.labels ?? {});
  if (!wanted.every(([label, value]) => Object.hasOwn(labels, label) && labels[label] === value))
    return false;
  return filter.search === undefined || mentions(filter.search, [turn.turnId, skill, ...textsOf(labels)]);
}

function textsOf(labels: Readonly<Record<string, string>>): string[] {
  return Object.entries(labels).map(([label, value]) => `${label}=${value}`);
}

function mentions(search: string, texts: readonly string[]): boolean {
  const sought = search.toLowerCase();
  return texts.some((text) => text.toLowerCase().includes(sought));
}
