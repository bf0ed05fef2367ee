import { useEffect, useRef, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { session } from '../access/session.ts';
import { useCaller } from '../access/use-caller.ts';

const PLACES = [
  { to: '/', name: 'Turns', isHere: (path: string) => path === '/' || path.startsWith('/turns') },
  { to: '/questions', name: 'Questions', isHere: (path: string) => path.startsWith('/questions') },
  { to: '/queues', name: 'Queues', isHere: (path: string) => path.startsWith('/queues') },
  { to: '/skills', name: 'Skills', isHere: (path: string) => path.startsWith('/skills') },
  { to: '/submit', name: 'Submit', isHere: (path: string) => path.startsWith('/submit') },
];

/** What stands around every page: where one can go, and who is signed in. */
export function Shell({ children }: { children: ReactNode }): ReactNode {
  const [path] = useLocation();
  const main = useRef<HTMLElement>(null);
  const before = useRef(path);
  // Who goes on by the keyboard or hears the page starts at its top, as after loading a page.
  useEffect(() => {
    if (before.current !== path) main.current?.focus();
    before.current = path;
  }, [path]);
  return (
    <>
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <header className="bar">
        <span className="mark">Skillyard</span>
        <nav aria-label="Pages">
          {PLACES.map(({ to, name, isHere }) => (
            <Link key={to} href={to} aria-current={isHere(path) ? 'page' : undefined}>
              {name}
            </Link>
          ))}
        </nav>
        <Who />
      </header>
      <main id="main" tabIndex={-1} ref={main}>
        {children}
      </main>
    </>
  );
}

function Who(): ReactNode {
  const { tenant, subject, scopes, actsForAll } = useCaller();
  const what = scopes.length === 0 ? 'no scopes' : scopes.join(', ');
  return (
    <div className="who">
      <span title={`${subject}: ${what}`}>
        {actsForAll ? 'all tenants' : tenant} <span className="quiet">({what})</span>
      </span>
      {session.key() !== '' && (
        <button type="button" className="plain" onClick={session.signOut}>
          Sign out
        </button>
      )}
    </div>
  );
}
