import { SkillyardError } from '@skillyard/contracts';
import type { Headers } from './gate.ts';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/;

/** Whether a host can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

/**
 * Refuses requests that a page from elsewhere makes a browser on this machine send: by a form or a script of its own, or
 * by a name of its own that it lets lead here. Where nobody has to say who they are, that is all that stops it.
 * @throws SkillyardError FORBIDDEN
 */
export function checkFromHere({ host = '', origin }: Headers): void {
  const from = origin === undefined ? [`http://${host}`] : [`http://${host}`, origin];
  if (from.every((address) => URL.canParse(address) && isLoopback(new URL(address).hostname))) return;
  const message =
    'without access control (http.auth: off) only requests to localhost, from there, are answered; make keys to serve others';
  throw new SkillyardError('FORBIDDEN', message);
}
