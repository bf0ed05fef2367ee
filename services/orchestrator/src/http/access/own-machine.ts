import { SkillyardError } from '@skillyard/contracts';
import { isLoopback } from '@skillyard/runtime';

/** The headers of a request, by their names in lower case. */
type Headers = Readonly<Record<string, string | undefined>>;

/**
 * Lets a request pass that was sent by a program or a page of this machine. Where nobody has to say who they are, a page of
 * somebody else that is open in a browser here could act as well: by a request across origins, which needs no reply to do
 * harm, or under a name of its own that leads to this machine (DNS rebinding).
 * @param publicUrl how the operator says that the API is reached, when not by the name of this machine
 * @throws SkillyardError FORBIDDEN
 */
export function requireOwnMachine({ host = '', origin }: Headers, publicUrl: string | undefined): void {
  const from = origin === undefined ? [`http://${host}`] : [`http://${host}`, origin];
  const stranger = from.find((address) => !isOwn(address, publicUrl));
  if (stranger === undefined) return;
  const message =
    'nobody has to say who they are here, so that only programs and pages of this machine are let in, and this request ' +
    `says that it is for or from ${stranger.slice(0, 100)}. If the API is reached under that name, set http.public_url, ` +
    'and make keys with `skillyard keys create`.';
  throw new SkillyardError('FORBIDDEN', message);
}

function isOwn(address: string, publicUrl: string | undefined): boolean {
  if (!URL.canParse(address)) return false;
  const { hostname, host } = new URL(address);
  return (
    isLoopback(hostname.replace(/^\[(.*)\]$/, '$1')) ||
    (publicUrl !== undefined && host === new URL(publicUrl).host)
  );
}
