import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, type ReactNode } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useCaller } from '../access/use-caller.ts';
import { api } from '../api.ts';
import { wordOf } from '../parts/outcome-mark.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { TurnTable } from '../parts/turn-table.tsx';
import { TURN_STATES, turnQuery, withField, withStateToggled } from '../turn/turn-filter.ts';

/** How often the newest turns are asked for, and an older page, which hardly changes. */
const REFRESH_MS = { newest: 2000, older: 15_000 };

/** All turns that the caller may see, page by page. */
export function TurnsPage(): ReactNode {
  const [address] = useSearchParams();
  const older = address.has('cursor');
  const query = turnQuery(address);
  const turns = useQuery({
    queryKey: ['turns', query],
    queryFn: () => api().listTurns(query),
    refetchInterval: older ? REFRESH_MS.older : REFRESH_MS.newest,
    placeholderData: keepPreviousData,
  });
  const filtered = [...address.keys()].length > 0;
  return (
    <>
      <PageHead title="Turns" />
      <Filters />
      {turns.error !== null && <ProblemNote error={turns.error} retry={() => void turns.refetch()} />}
      {turns.isPending && <p className="quiet">Loading…</p>}
      {turns.data?.turns.length === 0 && <Nothing filtered={filtered} />}
      {turns.data !== undefined && turns.data.turns.length > 0 && <TurnTable turns={turns.data.turns} />}
      <nav className="pager" aria-label="Pages of turns">
        {older && <Link href={`/?${withField(address, 'cursor', '').toString()}`}>Newest</Link>}
        {typeof turns.data?.next === 'string' && (
          <Link href={`/?${withField(address, 'cursor', turns.data.next).toString()}`}>Older</Link>
        )}
      </nav>
    </>
  );
}

function Nothing({ filtered }: { filtered: boolean }): ReactNode {
  if (filtered) {
    return (
      <p className="note">
        No turn is like that. <Link href="/">Show all turns</Link>
      </p>
    );
  }
  return (
    <p className="note">
      There are no turns yet. <Link href="/submit">Submit one</Link>, or use <code>skillyard submit</code>.
    </p>
  );
}

function Filters(): ReactNode {
  const caller = useCaller();
  const [address, setAddress] = useSearchParams();
  const skills = useQuery({ queryKey: ['skills'], queryFn: () => api().listSkills(), staleTime: 60_000 });
  const chosen = address.getAll('status');
  const set = useCallback(
    (field: string) => (value: string) =>
      setAddress((before) => withField(before, field, value), { replace: true }),
    [setAddress],
  );
  const names = skills.data?.skills.map(({ name }) => name) ?? [];
  return (
    <search className="filters">
      <SearchField
        label="Search"
        hotkey="/"
        placeholder="Part of an id, a skill, a label"
        value={address.get('search') ?? ''}
        onChange={set('search')}
      />
      <SearchField label="Skill" choices={names} value={address.get('skill') ?? ''} onChange={set('skill')} />
      <SearchField
        label="Label"
        placeholder="name=value"
        value={address.get('label') ?? ''}
        onChange={set('label')}
      />
      {caller.actsForAll && (
        <SearchField label="Tenant" value={address.get('tenant') ?? ''} onChange={set('tenant')} />
      )}
      <fieldset className="chips">
        <legend>Status</legend>
        {TURN_STATES.map((state) => (
          <button
            key={state}
            type="button"
            aria-pressed={chosen.includes(state)}
            onClick={() => setAddress((before) => withStateToggled(before, state))}
          >
            {wordOf(state)}
          </button>
        ))}
      </fieldset>
    </search>
  );
}
