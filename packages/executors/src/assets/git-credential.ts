import type { GitRepositoryConfig } from '@skillyard/contracts';

/** Any name will do for most services; this one is what they recommend. */
const DEFAULT_USER = 'x-access-token';

/** A token as it is sent: user and token in Base64 (RFC 7617). As secret as the token itself. */
export function basicCredential({ user = DEFAULT_USER }: GitRepositoryConfig, token: string): string {
  return Buffer.from(`${user}:${token}`, 'utf8').toString('base64');
}
