import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JwtConfig } from '@skillyard/contracts';
import { base64url, exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose';

/** Claims of a token; one that is undefined is not in it. */
type Claims = Readonly<Record<string, unknown>>;

/** Somebody who issues tokens, with public keys that can be fetched. */
export interface TokenIssuer {
  readonly config: JwtConfig;
  /** How often the public keys were fetched. */
  fetches(): number;
  /** A token that is good, but for what is said. Lives for a minute unless `exp` says otherwise. */
  token(claims?: Claims): Promise<string>;
  /** Tokens that nobody must be let in with, by what is wrong with them. */
  forgeries(): Promise<Readonly<Record<string, string>>>;
  /** Answers every request for the public keys with 500. */
  breakDown(): void;
  close(): Promise<void>;
}

const ISSUER = 'https://issuer.test';
const AUDIENCE = 'skillyard';

export async function startTokenIssuer(): Promise<TokenIssuer> {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  const stranger = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  let fetches = 0;
  let isBroken = false;
  const server = createServer((_request, response) => {
    fetches++;
    response.writeHead(isBroken ? 500 : 200, { 'content-type': 'application/json' });
    response.end(isBroken ? 'broken' : JSON.stringify({ keys: [jwk] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  const nowS = Math.floor(Date.now() / 1000);
  const good = { iss: ISSUER, aud: AUDIENCE, sub: 'olga', tenant: 'acme', scope: 'read', exp: nowS + 60 };
  const sign = (claims: Claims, key = privateKey): Promise<string> =>
    new SignJWT({ ...good, ...claims }).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(key);
  const withSecret = (secret: string): Promise<string> =>
    new SignJWT(good).setProtectedHeader({ alg: 'HS256', kid: 'one' }).sign(new TextEncoder().encode(secret));
  return {
    config: { jwks_url: `http://127.0.0.1:${port}/jwks`, issuer: ISSUER, audience: AUDIENCE },
    fetches: () => fetches,
    token: (claims = {}) => sign(claims),
    forgeries: async () => {
      const unsigned = [{ alg: 'none', kid: 'one' }, good].map((part) =>
        base64url.encode(JSON.stringify(part)),
      );
      const [head = '', , signature = ''] = (await sign({})).split('.');
      return {
        'of another issuer': await sign({ iss: 'https://else.test' }),
        'for another audience': await sign({ aud: 'else' }),
        'that has expired': await sign({ exp: nowS - 60 }),
        'that is not valid yet': await sign({ nbf: nowS + 60 }),
        'that never expires': await sign({ exp: undefined }),
        'signed by a stranger': await sign({}, stranger.privateKey),
        'not signed at all (alg none)': `${unsigned.join('.')}.`,
        'signed with the public key (HS256, PEM)': await withSecret(await exportSPKI(publicKey)),
        'signed with the public key (HS256, JWK)': await withSecret(JSON.stringify(jwk)),
        'whose claims were changed': [
          head,
          base64url.encode(JSON.stringify({ ...good, scope: 'admin' })),
          signature,
        ].join('.'),
        'without a tenant': await sign({ tenant: undefined }),
        'whose tenant is no name': await sign({ tenant: 'acme:*' }),
        'without a subject': await sign({ sub: undefined }),
      };
    },
    breakDown: () => {
      isBroken = true;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
