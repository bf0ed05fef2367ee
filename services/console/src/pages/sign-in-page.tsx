import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { session } from '../access/session.ts';

/** Asks for an API key. @param refused one was given, and the installation does not know it */
export function SignInPage({ refused }: { refused: boolean }): ReactNode {
  const [key, setKey] = useState('');
  const queries = useQueryClient();
  return (
    <main className="alone">
      <title>Sign in - Skillyard</title>
      <h1>Sign in to Skillyard</h1>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          // What somebody else saw is nothing for who comes next.
          queries.clear();
          session.signIn(key.trim());
        }}
      >
        <label className="field">
          <span>API key</span>
          <input
            type="password"
            autoComplete="current-password"
            required
            value={key}
            aria-describedby="key-hint"
            onChange={(event) => setKey(event.target.value)}
          />
        </label>
        <p id="key-hint" className="quiet">
          It is kept in this tab only, until it is closed. Whoever runs the installation makes keys with{' '}
          <code>skillyard keys create</code>.
        </p>
        {refused && (
          <p className="note bad" role="alert">
            <strong>UNAUTHENTICATED</strong> That key is unknown, revoked or has expired.
          </p>
        )}
        <button type="submit" className="main">
          Sign in
        </button>
      </form>
    </main>
  );
}
