import type { FastifyInstance } from 'fastify';
import { type ApiClient, clientOf, createApiClient } from '../../../../test/support/api-client.ts';
import { registerCanary } from '../../../../test/support/canaries.ts';
import { validateAgainstInternalDocument } from '../../../../test/support/document-validation.ts';

/** The headers that a browser adds to a request of a page of the same origin. */
const fromOwnPage = { 'sec-fetch-site': 'same-origin', 'x-brandport-console': '1' };

/** A client of the internal listener without a bearer token; paths are absolute. */
export function anonymousClient(app: FastifyInstance): ApiClient {
  return createApiClient(app, { prefix: '', token: null, check: validateAgainstInternalDocument });
}

/** Returns `name=value` of the cookie that a response sets. */
export function cookieOf(headers: Readonly<Record<string, unknown>>): string {
  const [pair = ''] = String(headers['set-cookie']).split(';');
  const value = pair.slice(pair.indexOf('=') + 1);
  if (value !== '') registerCanary(value);
  return pair;
}

/** Signs in and returns a client that sends the cookie as a page of the console does. Paths are absolute. */
export async function signIn(app: FastifyInstance, token: string): Promise<ApiClient & { cookie: string }> {
  const anonymous = anonymousClient(app);
  const response = await anonymous.post('/console/session', { token });
  if (response.status !== 204) throw new Error(`not signed in: ${response.text}`);
  const cookie = cookieOf(response.headers);
  return { ...withCookie(app, cookie), cookie };
}

/** Sends the cookie with every request, as a page of the console does. */
export function withCookie(app: FastifyInstance, cookie: string): ApiClient {
  const anonymous = anonymousClient(app);
  return clientOf((method, path, options = {}) =>
    anonymous.request(method, path, {
      ...options,
      headers: { cookie, ...fromOwnPage, ...options.headers },
    }),
  );
}
