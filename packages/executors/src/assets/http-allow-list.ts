import { unavailable } from './asset-failure.ts';

/** The beginning of an address: everything on this origin whose path is this one or lies below it. */
interface AddressPrefix {
  readonly origin: string;
  readonly path: string;
}

/**
 * The addresses that a list in the configuration allows.
 *
 * L1 Scheme, host and port must be those of an entry; `https` is meant where an entry has no scheme.
 * L2 A path is below that of an entry only at a slash: `/team` lets `/team/a` through and not `/teammates`.
 * L3 An address that may climb out of its path once a server has decoded it is below nothing but a whole origin.
 */
export class HttpAllowList {
  readonly #prefixes: readonly AddressPrefix[];

  /**
   * @param place where the list stands in the configuration
   * @throws SkillyardError ASSET_UNAVAILABLE for an entry that is no address
   */
  constructor(entries: readonly string[], place = 'assets.http.allow') {
    this.#prefixes = entries.map((entry) => parsePrefix(entry, place));
  }

  allows(url: URL): boolean {
    return this.#prefixes.some((prefix) => isBelow(url, prefix));
  }
}

/**
 * Whether an address lies below the one an entry names.
 * @param place where the entry stands in the configuration
 */
export function isBelowEntry(url: URL, entry: string, place: string): boolean {
  return isBelow(url, parsePrefix(entry, place));
}

function parsePrefix(entry: string, place: string): AddressPrefix {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(entry) ? entry : `https://${entry}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw unavailable(`${place} holds "${entry}", which is no address. Write it as https://host/path.`);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw unavailable(
      `${place} holds an address with more than an origin and a path (${url.host}). Leave out user, query and fragment.`,
    );
  }
  return { origin: url.origin, path: url.pathname };
}

function isBelow(url: URL, { origin, path }: AddressPrefix): boolean {
  if (url.origin !== origin) return false;
  if (path === '/') return true;
  if (climbs(url.pathname)) return false;
  return url.pathname === path || url.pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
}

/** `..` that is written as `%2e%2e%2f` is a step up for many servers; the parser of addresses leaves it alone. */
function climbs(path: string): boolean {
  let decoded = path;
  for (let depth = 0; depth < 3; depth++) {
    if (decoded.split(/[/\\]/).includes('..')) return true;
    try {
      decoded = decodeURIComponent(decoded);
    } catch {
      // Not to be decoded, so nobody knows what a server makes of it.
      return true;
    }
  }
  return decoded.split(/[/\\]/).includes('..');
}
