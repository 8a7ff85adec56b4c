import type { ClientOrigin } from '../../api/operation-request.ts';
import { ApiError } from '../../errors/api-error.ts';
import { isLoopback } from '../../lib/urls.ts';

/**
 * Refuses a sign-in that another site has started, or whose cookie could be read on the way: over plain http, browsers keep it
 * private only for the machine that they run on. `allowsHttp`: the operator has accepted that [internal-123].
 * @throws ApiError `forbidden`
 */
export function requireSafeGround(
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
