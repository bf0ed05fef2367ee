import type { SkillResource } from '@skillyard/contracts';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, type ReactNode } from 'react';
import { Link, useSearchParams } from 'wouter';
import { api } from '../api.ts';
import { CheckReport } from '../parts/check-report.tsx';
import { Moment } from '../parts/moment.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { SourceView } from '../parts/source-view.tsx';

const FlowView = lazy(async () => ({ default: (await import('../parts/flow-view.tsx')).FlowView }));

const VIEWS = [
  ['source', 'Source'],
  ['flow', 'Flow'],
  ['check', 'Check'],
  ['versions', 'Versions'],
] as const;

/** One skill: its source, its flow, what is to be said of it, its versions. */
export function SkillPage({ name }: { name: string }): ReactNode {
  const [address] = useSearchParams();
  const version = address.get('version') ?? undefined;
  const view = VIEWS.find(([each]) => each === address.get('view'))?.[0] ?? 'source';
  const here = `/skills/${encodeURIComponent(name)}`;
  const skill = useQuery({
    queryKey: ['skill', name, version],
    queryFn: () => api().getSkill(version === undefined ? { name } : { name, version }),
  });
  if (skill.error !== null) return <ProblemNote error={skill.error} retry={() => void skill.refetch()} />;
  if (skill.data === undefined) return <p className="quiet">Loading…</p>;
  return (
    <>
      <PageHead title={skill.data.title}>
        <Link className="button" href={`/submit?skill=${encodeURIComponent(name)}`}>
          Submit a turn
        </Link>
      </PageHead>
      <p>{skill.data.description}</p>
      <p className="quiet">
        {name} {skill.data.version} <span className="id">{skill.data.hash.slice(0, 12)}</span>{' '}
        {skill.data.origin === 'folder' ? 'from a folder' : 'uploaded'}
        {version !== undefined && (
          <>
            {' '}
            <Link href={here}>Show the current version</Link>
          </>
        )}
      </p>
      <nav className="tabs" aria-label="Views of the skill">
        {VIEWS.map(([each, title]) => (
          <Link
            key={each}
            href={`${here}?${new URLSearchParams({ ...Object.fromEntries(address), view: each }).toString()}`}
            aria-current={view === each ? 'page' : undefined}
          >
            {title}
          </Link>
        ))}
      </nav>
      {view === 'source' && <SourceView text={skill.data.text} />}
      {view === 'flow' && <SkillFlow skill={skill.data} />}
      {view === 'check' && <Check text={skill.data.text} />}
      {view === 'versions' && <Versions name={name} />}
    </>
  );
}

const NO_OUTCOMES = new Map<string, never>();

function SkillFlow({ skill }: { skill: SkillResource }): ReactNode {
  const { graph } = skill;
  if (graph === null)
    return (
      <p className="note">
        There is no flow to draw: a model follows the text of this skill, or its code decides.
      </p>
    );
  return (
    <Suspense fallback={<p className="quiet">Loading…</p>}>
      <FlowView graph={graph} outcomes={NO_OUTCOMES} chosen={null} choose={() => undefined} />
    </Suspense>
  );
}

function Check({ text }: { text: string }): ReactNode {
  const check = useQuery({
    queryKey: ['check', text],
    queryFn: () => api().checkSkill({ body: { text } }),
    staleTime: 60_000,
  });
  if (check.error !== null) return <ProblemNote error={check.error} retry={() => void check.refetch()} />;
  return check.data === undefined ? <p className="quiet">Loading…</p> : <CheckReport check={check.data} />;
}

function Versions({ name }: { name: string }): ReactNode {
  const versions = useQuery({
    queryKey: ['versions', name],
    queryFn: () => api().listSkillVersions({ name }),
  });
  if (versions.error !== null)
    return <ProblemNote error={versions.error} retry={() => void versions.refetch()} />;
  if (versions.data === undefined) return <p className="quiet">Loading…</p>;
  return (
    <div className="wide">
      <table>
        <thead>
          <tr>
            <th scope="col">Version</th>
            <th scope="col">Hash</th>
            <th scope="col">When</th>
            <th scope="col">By</th>
          </tr>
        </thead>
        <tbody>
          {versions.data.versions.map(({ version, hash, atMs, by, current }) => (
            <tr key={`${hash} ${atMs ?? ''}`} className="leads">
              <td>
                {version === '' ? '-' : version}
                {current && <span className="mark-of good"> ✓ current</span>}
              </td>
              <td>
                <Link
                  className="id"
                  href={`/skills/${encodeURIComponent(name)}?version=${encodeURIComponent(hash)}`}
                >
                  {hash.slice(0, 12)}
                </Link>
              </td>
              <td>
                <Moment atMs={atMs} />
              </td>
              <td>{by}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
