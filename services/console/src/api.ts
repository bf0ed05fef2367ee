import { SkillyardClient } from '@skillyard/client';
import { session } from './access/session.ts';

let made: { readonly key: string; readonly client: SkillyardClient } | null = null;

/** The API of the installation that serves this page, as whoever is signed in. */
export function api(): SkillyardClient {
  const key = session.key();
  if (made?.key !== key) {
    const client = new SkillyardClient({
      url: location.origin,
      apiKey: key === '' ? undefined : key,
      // What is shown is asked for again anyhow; somebody looks at the page and wants to know that nothing comes.
      retries: 1,
    });
    made = { key, client };
  }
  return made.client;
}
