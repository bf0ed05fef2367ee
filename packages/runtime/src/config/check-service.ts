import { ALL_TENANTS, type Config, type Diagnostic, TENANT_PATTERN } from '@skillyard/contracts';
import type { ConfigDocument } from './config-document.ts';
import { at } from './describe-config-error.ts';

const TENANT_NAME = new RegExp(TENANT_PATTERN);
const LOOPBACK = new Set(['localhost', '127.0.0.1', '::1']);

/** Whether only this machine can reach what listens at a host. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.has(host) || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}

/** What the schema cannot say of the sections that concern the service: addresses, names, and who may be let in. */
export function checkService(document: ConfigDocument, { http, tenants, webhooks }: Config): Diagnostic[] {
  const found: Diagnostic[] = [];
  const say = (path: string[], part: 'key' | 'value', message: string, hint: string): void => {
    found.push(at(document, path, part, message, hint));
  };
  const checkUrl = (path: string[], text: string | undefined): void => {
    if (text === undefined || (/^https?:/.test(text) && URL.canParse(text))) return;
    say(
      path,
      'value',
      `${path.join('.')} is no address`,
      'write it in full, such as https://agents.example.com',
    );
  };
  checkUrl(['http', 'public_url'], http?.public_url);
  checkUrl(['http', 'jwt', 'jwks_url'], http?.jwt?.jwks_url);
  for (const [index, origin] of (webhooks?.allow ?? []).entries())
    checkUrl(['webhooks', 'allow', String(index)], origin.includes('://') ? origin : `https://${origin}`);
  if (http?.auth === 'off' && !isLoopback(http.host ?? '127.0.0.1')) {
    const message = `http.auth is off, and http.host ${http.host} can be reached from other machines`;
    say(['http', 'auth'], 'value', message, 'leave it out: then a key or token is needed');
  }
  for (const name of Object.keys(tenants ?? {})) {
    if (name === ALL_TENANTS || TENANT_NAME.test(name)) continue;
    const hint = 'use at most 50 of a-z 0-9 _ -, or "*" for all that are not named';
    say(['tenants', name], 'key', `tenants.${name} is no name of a tenant`, hint);
  }
  return found;
}
