import type { ClientOrigin } from '../../api/operation-request.ts';
import { ApiError } from '../../errors/api-error.ts';

/**
 * Refuses a sign-in that another site has started, or whose cookie could be read on the way: over plain http, browsers keep
 * it private only for the machine that they run on. `allowsHttp`: the operator has accepted that [internal-123].
 * @throws ApiError `forbidden`
 */
export function requireSafeGround(
  { isHttps, host }: ClientOrigin,
  fetchSite: string | undefined,
  allowsHttp: boolean,
): void {
  if (fetchSite === 'cross-site' || fetchSite === 'same-site')
    throw new ApiError('forbidden', { message: 'Sign in from a page of this server.' });
  if (isHttps || allowsHttp || isLoopbackHost(host)) return;
  throw new ApiError('forbidden', {
    message:
      'Signing in needs https, except on localhost. The documentation names the settings for proxies and for plain http.',
  });
}

/** Returns whether the host of a `Host` header is the machine that the browser runs on. */
function isLoopbackHost(host: string): boolean {
  const name = host.replace(/:\d+$/, '').toLowerCase();
  return name === 'localhost' || name.endsWith('.localhost') || name === '[::1]' || loopback.test(name);
}

const loopback = /^127(?:\.\d{1,3}){3}$/;
