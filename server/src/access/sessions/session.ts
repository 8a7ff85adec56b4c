import type { IncomingHttpHeaders } from 'node:http';
import type { InternalCaller } from '../../api/access.ts';
import type { ClientOrigin } from '../../api/operation-request.ts';
import { ApiError } from '../../errors/api-error.ts';
import { isLoopback } from '../../lib/addresses.ts';

const minuteMs = 60_000;
/** A session ends this long after it began, also if it is in use. */
export const sessionLifeMs = 12 * 60 * minuteMs;
/** A session ends this long after its last request. */
export const sessionIdleMs = 60 * minuteMs;

/** A session of a browser. Its secret, 256 random bits, is in the cookie; its SHA-256 is stored. */
export interface Session extends Omit<InternalCaller, 'session'> {
  readonly id: number;
  /** The client's address when it signed in; null if it was unknown. */
  readonly address: string | null;
  readonly createdAt: Date;
  /** Accurate to the interval at which uses are recorded. */
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
}

/** Returns whether the session has not ended [internal-121] at `now`, in milliseconds since the Unix epoch. */
export function isLive({ expiresAt, lastSeenAt }: Session, now: number): boolean {
  return now < expiresAt.getTime() && now < lastSeenAt.getTime() + sessionIdleMs;
}

const sessionName = 'brandport-console';

/** Builds the header that gives a browser its cookie; with null, the one that takes it away. */
export function setSessionCookie(browser: BrowserConnection, token: string | null): string {
  return setCookie(browser, {
    name: sessionName,
    value: token ?? '',
    sameSite: 'Strict',
    lifeMs: token === null ? 0 : sessionLifeMs,
  });
}

export interface CookieRequest extends BrowserConnection {
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

/** The connection of a browser. */
interface BrowserConnection {
  /** True if the browser's connection is encrypted, as a trusted proxy says. */
  readonly isHttps: boolean;
}

interface NewCookie {
  readonly name: string;
  /** Hexadecimal or empty, so nothing has to be encoded. */
  readonly value: string;
  /** `Lax`: also sent when another site leads the browser here. */
  readonly sameSite: 'Strict' | 'Lax';
  /** 0: the browser deletes it. */
  readonly lifeMs: number;
}

/** Builds the header that sets a cookie, which scripts cannot read. */
export function setCookie(browser: BrowserConnection, { name, value, sameSite, lifeMs }: NewCookie): string {
  const secure = browser.isHttps ? '; Secure' : '';
  return `${nameOn(browser, name)}=${value}; Max-Age=${lifeMs / 1000}; Path=/; HttpOnly; SameSite=${sameSite}${secure}`;
}

/** Returns the first cookie of the name; null if there is none, or if it is empty. */
export function findCookie(
  browser: BrowserConnection,
  name: string,
  header: string | undefined,
): string | null {
  const start = `${nameOn(browser, name)}=`;
  const pair = (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(start));
  return pair === undefined || pair === start ? null : pair.slice(start.length);
}

/** A browser refuses a name with this prefix without `Secure` and with a `Domain`, so no other host can set that cookie. */
function nameOn({ isHttps }: BrowserConnection, name: string): string {
  return isHttps ? `__Host-${name}` : name;
}

/**
 * Refuses a sign-in that another site has started, or whose cookie could be read on the way: over plain http, browsers keep it
 * private only for the machine that they run on. `allowsHttp`: the operator has accepted that [internal-123].
 * @throws ApiError `forbidden`
 */
export function requireSafeOrigin(
  { isHttps, host }: ClientOrigin,
  fetchSite: string | undefined,
  allowsHttp: boolean,
): void {
  if (fetchSite === 'cross-site' || fetchSite === 'same-site')
    throw new ApiError('forbidden', { message: 'Sign in from a page of this server.' });
  if (isHttps || allowsHttp || isLoopback({ hostname: host.replace(/:\d+$/, '').toLowerCase() })) return;
  throw new ApiError('forbidden', {
    message:
      'Signing in needs https, except on localhost. The documentation names the settings for proxies and for plain http.',
  });
}
