import type { TurnResource } from '@skillyard/contracts';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useEffect, useState, type ReactNode } from 'react';
import { Link, useSearchParams } from 'wouter';
import { api } from '../api.ts';
import { FailedJobsOfTurn } from '../parts/failed-jobs-of-turn.tsx';
import { OutcomeView } from '../parts/outcome-view.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { QuestionsOfTurn } from '../parts/questions-of-turn.tsx';
import { SourceView } from '../parts/source-view.tsx';
import { StepPanel } from '../parts/step-panel.tsx';
import { TurnFacts } from '../parts/turn-facts.tsx';
import { TurnHead } from '../parts/turn-head.tsx';
import { WaterfallView } from '../parts/waterfall-view.tsx';
import { WhyNote } from '../parts/why-note.tsx';
import { nodeOutcomes } from '../turn/node-outcomes.ts';
import { useTurnEvents } from '../turn/use-turn-events.ts';
import { waterfall, type Waterfall } from '../turn/waterfall.ts';

// The largest part of the page by far, and not the first that is looked at.
const FlowView = lazy(async () => ({ default: (await import('../parts/flow-view.tsx')).FlowView }));

const VIEWS = [
  ['steps', 'Steps'],
  ['flow', 'Flow'],
  ['result', 'Result'],
  ['skill', 'Skill'],
] as const;

/** While a turn runs, what is not told by events is asked for this often; a turn that ended can be reopened. */
const REFRESH_MS = { running: 2000, ended: 10_000 };

/** Everything about one turn. */
export function TurnPage({ turnId }: { turnId: string }): ReactNode {
  const turn = useQuery({
    queryKey: ['turn', turnId],
    queryFn: () => api().getTurn({ turnId }),
    refetchInterval: (query) =>
      (query.state.data?.endedAtMs ?? null) === null ? REFRESH_MS.running : REFRESH_MS.ended,
  });
  if (turn.data === undefined) {
    if (turn.error === null) return <p className="quiet">Loading…</p>;
    return <ProblemNote error={turn.error} retry={() => void turn.refetch()} />;
  }
  return <LoadedTurn turn={turn.data} refresh={() => void turn.refetch()} />;
}

function LoadedTurn({ turn, refresh }: { turn: TurnResource; refresh: () => void }): ReactNode {
  const [address, setAddress] = useSearchParams();
  const view = VIEWS.find(([name]) => name === address.get('view'))?.[0] ?? 'steps';
  const chosen = address.get('step');
  const hasEnded = turn.endedAtMs !== null;
  const { events, error } = useTurnEvents(turn.turnId, useReopened(turn.endedAtMs), refresh);
  const nowMs = useClock(!hasEnded);
  const flow = waterfall(events, nowMs);
  const choose = useCallback(
    (path: string | null) =>
      setAddress((before) => {
        const changed = new URLSearchParams(before);
        if (path === null) changed.delete('step');
        else changed.set('step', path);
        return changed;
      }),
    [setAddress],
  );
  const row = flow.rows.find(({ path }) => path === chosen) ?? null;
  return (
    <>
      <TurnHead turn={turn} refresh={refresh} />
      <TurnFacts turn={turn} nowMs={nowMs} />
      {turn.waiting > 0 && <QuestionsOfTurn turnId={turn.turnId} refresh={refresh} />}
      {!hasEnded && <WhyNote turnId={turn.turnId} />}
      {turn.status === 'failed' && <FailedJobsOfTurn turnId={turn.turnId} refresh={refresh} />}
      {error !== null && <ProblemNote error={error} />}
      <nav className="tabs" aria-label="Views of the turn">
        {VIEWS.map(([name, title]) => (
          <Link
            key={name}
            href={`/turns/${turn.turnId}?${new URLSearchParams({ ...Object.fromEntries(address), view: name }).toString()}`}
            aria-current={view === name ? 'page' : undefined}
          >
            {title}
          </Link>
        ))}
      </nav>
      <div className="split">
        <div className="view">
          {view === 'steps' && <WaterfallView flow={flow} chosen={chosen} choose={choose} />}
          {view === 'flow' && <TurnFlow turnId={turn.turnId} flow={flow} chosen={chosen} choose={choose} />}
          {view === 'result' && <OutcomeView turn={turn} />}
          {view === 'skill' && <TurnSkill turnId={turn.turnId} />}
        </div>
        {row !== null && (view === 'steps' || view === 'flow') && (
          <StepPanel key={row.path} turn={turn} row={row} close={() => choose(null)} refresh={refresh} />
        )}
      </div>
    </>
  );
}

/** How often the turn has been seen to go on after an end: that one is no longer its end. */
function useReopened(endedAtMs: number | null): number {
  const [seen, setSeen] = useState({ endedAtMs, times: 0 });
  if (seen.endedAtMs !== endedAtMs)
    setSeen({ endedAtMs, times: seen.times + (seen.endedAtMs === null ? 0 : 1) });
  return seen.times;
}

/** The time, again every half second while something moves. */
function useClock(moves: boolean): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    if (!moves) return undefined;
    const timer = setInterval(() => setNowMs(Date.now()), 500);
    return () => clearInterval(timer);
  }, [moves]);
  return nowMs;
}

interface TurnFlowProps {
  readonly turnId: string;
  readonly flow: Waterfall;
  readonly chosen: string | null;
  readonly choose: (path: string) => void;
}

function TurnFlow({ turnId, flow, chosen, choose }: TurnFlowProps): ReactNode {
  const skill = useTurnSkill(turnId);
  if (skill.error !== null) return <ProblemNote error={skill.error} retry={() => void skill.refetch()} />;
  if (skill.data === undefined) return <p className="quiet">Loading…</p>;
  const { graph } = skill.data;
  if (graph === null)
    return (
      <p className="note">
        There is no flow to draw: a model follows the text of this skill, or its code decides.
      </p>
    );
  return (
    <Suspense fallback={<p className="quiet">Loading…</p>}>
      <FlowView graph={graph} outcomes={nodeOutcomes(flow.rows)} chosen={chosen} choose={choose} />
    </Suspense>
  );
}

function TurnSkill({ turnId }: { turnId: string }): ReactNode {
  const skill = useTurnSkill(turnId);
  if (skill.error !== null) return <ProblemNote error={skill.error} retry={() => void skill.refetch()} />;
  return skill.data === undefined ? <p className="quiet">Loading…</p> : <SourceView text={skill.data.text} />;
}

function useTurnSkill(turnId: string) {
  return useQuery({
    queryKey: ['turn-skill', turnId],
    queryFn: () => api().getTurnSkill({ turnId }),
    // The skill of a turn never changes.
    staleTime: Infinity,
  });
}
