import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import Provider from 'oidc-provider';
import { createMemoryAdapter } from 'oidc-provider/lib/adapters/memory_adapter.js';
import { registerCanary } from '../canaries.ts';
import { serveLogin } from './login-page.ts';
import { decodeToken, encodeToken, type TokenParts } from './token-forge.ts';

export interface IdentityProviderOptions {
  /** Ends with `/console/`. */
  readonly consoleUrl: string;
  /** The claims of each login; the login is the subject. */
  readonly users: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Default: 127.0.0.1. Another loopback address is another site to a browser. */
  readonly host?: string;
  /** True: the claims are in the user information only. Default: in the ID token. */
  readonly claimsInUserInfo?: boolean;
  /** Default: `client_secret_basic`. */
  readonly clientAuthentication?: 'client_secret_basic' | 'client_secret_post';
}

/** A response instead of the provider's. */
type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A real OpenID Connect provider in the process of the test. */
export interface TestIdentityProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The key with which the provider signs. */
  readonly signingKey: KeyObject;
  /** The paths of all requests so far, in their order. */
  readonly requests: readonly string[];
  /** Changes each ID token from now on; null: no longer. */
  forge(change: ((parts: TokenParts) => TokenParts) | null): void;
  /** Answers every request from now on; null: the provider does. */
  replace(answer: Answer | null): void;
  /** Closes the port and every connection. */
  stop(): Promise<void>;
}

interface ProviderSession {
  readonly accountId: string;
  grantIdFor(clientId: string): string | undefined;
}

const clientId = 'brandport-console';

/** Starts a provider with one client. It stops with the test file. */
export async function startIdentityProvider(options: IdentityProviderOptions): Promise<TestIdentityProvider> {
  const { consoleUrl, users, host = '127.0.0.1', claimsInUserInfo = false } = options;
  const { privateKey: signingKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const clientSecret = 'client-secret-canary: 100% & more/+';
  registerCanary(clientSecret);
  let change: ((parts: TokenParts) => TokenParts) | null = null;
  let answer: Answer | null = null;
  const requests: string[] = [];

  const server = createServer((request, response) => {
    requests.push(new URL(request.url ?? '', 'http://provider').pathname);
    if (answer !== null) return answer(request, response);
    if (request.url?.startsWith('/interaction/')) void interact(request, response);
    else void handle(request, response);
  });
  server.listen(0, host);
  await once(server, 'listening');
  const issuer = `http://${host}:${(server.address() as AddressInfo).port}`;

  const provider = new Provider(issuer, {
    // Named, because the provider warns of its default.
    adapter: createMemoryAdapter(),
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        response_types: ['code'],
        grant_types: ['authorization_code'],
        redirect_uris: [`${consoleUrl}sign-in/callback`],
        post_logout_redirect_uris: [consoleUrl],
        token_endpoint_auth_method: options.clientAuthentication ?? 'client_secret_basic',
      },
    ],
    clientAuthMethods: [options.clientAuthentication ?? 'client_secret_basic'],
    jwks: { keys: [{ ...signingKey.export({ format: 'jwk' }), kid: 'test', use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['cookie-key-of-the-test-provider'] },
    claims: {
      openid: ['sub'],
      profile: ['name', 'preferred_username'],
      email: ['email', 'email_verified'],
      roles: ['roles', 'realm_access', 'groups'],
    },
    conformIdTokenClaims: claimsInUserInfo,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    ttl: { AccessToken: 60, AuthorizationCode: 60, IdToken: 60, Interaction: 600, Session: 600, Grant: 600 },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_context: unknown, login: string) =>
      users[login] && { accountId: login, claims: () => ({ sub: login, ...users[login] }) },
    // Without a page that asks for consent.
    loadExistingGrant: async ({ oidc }: { oidc: { session: ProviderSession } }) => {
      const found = await provider.Grant.find(oidc.session.grantIdFor(clientId));
      if (found !== undefined) return found;
      const grant = new provider.Grant({ clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope('openid profile email roles');
      await grant.save();
      return grant;
    },
  });
  provider.use(async (context, next) => {
    await next();
    const { id_token: token } = (context.body ?? {}) as { id_token?: string };
    if (context.path !== '/token' || token === undefined) return;
    registerCanary(token);
    const parts = { ...decodeToken(token), key: signingKey };
    const forged = change === null ? token : encodeToken(change(parts));
    context.body = { ...(context.body as object), id_token: forged };
  });
  const handle = provider.callback();

  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const login = await serveLogin(request, response);
    if (login === undefined) return;
    const result = login === null ? { error: 'access_denied' } : { login: { accountId: login } };
    assert.ok(login === null || users[login] !== undefined, `${login} is no user of the test`);
    await provider.interactionFinished(request, response, result);
  }

  const stop = async () => {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  after(stop);
  return {
    issuer,
    clientId,
    clientSecret,
    signingKey,
    requests,
    stop,
    forge: (next) => {
      change = next;
    },
    replace: (next) => {
      answer = next;
    },
  };
}
