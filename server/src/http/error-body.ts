import type { ApiError } from '../errors/api-error.ts';
import type { Listener } from './metrics.ts';

/** Returns the body of an error, with the path of its code's page [platform-86] below the forwarded prefix [platform-83]. */
export function errorBody(error: ApiError, listener: Listener, pathPrefix = ''): Record<string, unknown> {
  const docs = listener === 'client' ? '/docs' : '/internal/docs';
  return { ...error.toBody(), doc_url: `${pathPrefix}${docs}/guides/errors/${error.code}` };
}
