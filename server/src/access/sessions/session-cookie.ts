import type { IncomingHttpHeaders } from 'node:http';
import { type CookieGround, findCookie, setCookie } from './cookie.ts';
import { sessionLifeMs } from './session.ts';

const sessionName = 'brandport-console';

/** Builds the header that gives a browser its cookie; with null, the one that takes it away. */
export function setSessionCookie(ground: CookieGround, token: string | null): string {
  return setCookie(ground, {
    ...{ name: sessionName, value: token ?? '', sameSite: 'Strict' },
    lifeMs: token === null ? 0 : sessionLifeMs,
  });
}

export interface CookieRequest extends CookieGround {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

/**
 * Returns the value of the session's cookie; `missing` if there is none, `refused` if it does not count. It counts if the
 * browser says that the request comes from a page of this origin, or from the person (a bookmark, for example); a request that
 * changes something also needs a header that no form and no link can send [internal-122] [D162].
 */
export function sessionCookieOf({
  isHttps,
  method,
  headers,
}: CookieRequest): { token: string } | { failure: 'missing' | 'cookie_refused' } {
  const token = findCookie({ isHttps }, sessionName, headers.cookie);
  if (token === null) return { failure: 'missing' };
  return countsFor(method, headers) ? { token } : { failure: 'cookie_refused' };
}

function countsFor(method: string, headers: CookieRequest['headers']): boolean {
  const isSafe = method === 'GET' || method === 'HEAD';
  const site = headers['sec-fetch-site'];
  if (isSafe) return site === 'same-origin' || site === 'none';
  return site === 'same-origin' && headers['x-brandport-console'] === '1';
}
