import type { ApiError } from '../errors/api-error.ts';
import type { ErrorCode } from '../errors/error-catalogue.ts';
import type { Listener } from './metrics.ts';

/** The folder of the pages about error codes, one for each code, by listener. */
const errorPages: Readonly<Record<Listener, string>> = {
  client: '/docs/guides/errors/',
  internal: '/internal/docs/guides/errors/',
};

/** Returns the path of the page about a code. `pathPrefix` is the forwarded prefix of the request [platform-83]. */
function docUrl(listener: Listener, code: ErrorCode, pathPrefix = ''): string {
  return `${pathPrefix}${errorPages[listener]}${code}`;
}

/** Returns the response body of an error, with the address of the page about its code [platform-86]. */
export function errorBody(error: ApiError, listener: Listener, pathPrefix?: string): Record<string, unknown> {
  return { ...error.toBody(), doc_url: docUrl(listener, error.code, pathPrefix) };
}
