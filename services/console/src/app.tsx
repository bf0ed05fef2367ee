import { QueryCache, QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { useSyncExternalStore, type ReactNode } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { session } from './access/session.ts';
import { CallerContext } from './access/use-caller.ts';
import { SkillyardError } from '@skillyard/contracts';
import { api } from './api.ts';
import { NotFoundPage } from './pages/not-found-page.tsx';
import { QuestionsPage } from './pages/questions-page.tsx';
import { QueuesPage } from './pages/queues-page.tsx';
import { SignInPage } from './pages/sign-in-page.tsx';
import { SkillPage } from './pages/skill-page.tsx';
import { SkillsPage } from './pages/skills-page.tsx';
import { SubmitPage } from './pages/submit-page.tsx';
import { TurnPage } from './pages/turn-page.tsx';
import { TurnsPage } from './pages/turns-page.tsx';
import { PageBoundary } from './parts/page-boundary.tsx';
import { ProblemNote } from './parts/problem-note.tsx';
import { Shell } from './parts/shell.tsx';

/** The whole console. */
export function App(): ReactNode {
  return (
    <QueryClientProvider client={queries}>
      <Signed />
    </QueryClientProvider>
  );
}

const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    // A key can be revoked, or run out, while the page is open.
    onError: (error, query) => {
      if (isUnauthenticated(error) && query.queryKey[0] !== 'caller')
        void queries.resetQueries({ queryKey: ['caller'] });
    },
  }),
  defaultOptions: {
    queries: {
      // The client has tried again already what may get better by itself.
      retry: false,
    },
  },
});

function isUnauthenticated(error: unknown): boolean {
  return SkillyardError.is(error, 'UNAUTHENTICATED');
}

/** The pages for who is known, the question for the key for who is not. */
function Signed(): ReactNode {
  const key = useSyncExternalStore(session.subscribe, session.key);
  const [location] = useLocation();
  const caller = useQuery({
    queryKey: ['caller', key],
    queryFn: () => api().getCaller(),
    staleTime: Infinity,
  });
  if (isUnauthenticated(caller.error)) return <SignInPage refused={key !== ''} />;
  if (caller.error !== null) {
    return (
      <main className="alone">
        <ProblemNote error={caller.error} retry={() => void caller.refetch()} />
      </main>
    );
  }
  if (caller.data === undefined) return <p className="alone quiet">Loading…</p>;
  return (
    <CallerContext value={caller.data}>
      <Shell>
        <PageBoundary key={location}>
          <Switch>
            <Route path="/">
              <TurnsPage />
            </Route>
            <Route path="/turns/:turnId">{({ turnId }) => <TurnPage key={turnId} turnId={turnId} />}</Route>
            <Route path="/questions">
              <QuestionsPage />
            </Route>
            <Route path="/queues">
              <QueuesPage />
            </Route>
            <Route path="/skills">
              <SkillsPage />
            </Route>
            <Route path="/skills/:name">{({ name }) => <SkillPage key={name} name={name} />}</Route>
            <Route path="/submit">
              <SubmitPage />
            </Route>
            <Route>
              <NotFoundPage />
            </Route>
          </Switch>
        </PageBoundary>
      </Shell>
    </CallerContext>
  );
}
