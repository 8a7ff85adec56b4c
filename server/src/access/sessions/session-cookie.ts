import type { IncomingHttpHeaders } from 'node:http';
import { sessionLifeMs } from './session.ts';

/** The client's side of a connection, as far as it decides about cookies. */
export interface CookieGround {
  /** True if the browser's connection is encrypted, as a trusted proxy says. */
  readonly isHttps: boolean;
}

/** A browser refuses the first name without `Secure` and with a `Domain`, so no other host can set that cookie. */
const secureName = '__Host-brandport-console';
const plainName = 'brandport-console';

/** Builds the header that gives a browser its cookie; with null, the one that takes it away. */
export function setSessionCookie({ isHttps }: CookieGround, token: string | null): string {
  const life = token === null ? 0 : sessionLifeMs / 1000;
  const attributes = `Max-Age=${life}; Path=/; HttpOnly; SameSite=Strict${isHttps ? '; Secure' : ''}`;
  return `${isHttps ? secureName : plainName}=${token ?? ''}; ${attributes}`;
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
  const token = cookieNamed(isHttps ? secureName : plainName, headers.cookie ?? '');
  if (token === null) return { failure: 'missing' };
  return countsFor(method, headers) ? { token } : { failure: 'cookie_refused' };
}

function countsFor(method: string, headers: CookieRequest['headers']): boolean {
  const isSafe = method === 'GET' || method === 'HEAD';
  const site = headers['sec-fetch-site'];
  if (isSafe) return site === 'same-origin' || site === 'none';
  return site === 'same-origin' && headers['x-brandport-console'] === '1';
}

/** Returns the first cookie of the name; null if there is none. Its value is hexadecimal, so nothing has to be decoded. */
function cookieNamed(name: string, header: string): string | null {
  const start = `${name}=`;
  const pair = header
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(start));
  return pair === undefined || pair === start ? null : pair.slice(start.length);
}
