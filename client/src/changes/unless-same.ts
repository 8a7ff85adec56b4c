import { isBrandportError } from '../errors/is-brandport-error.ts';
import type { Call } from '../transport/call.ts';

/**
 * Returns the response with its tag; null if it is the one whose tag the call sent, which costs the service one short
 * statement.
 */
export async function unlessSame<T>(
  call: Call<T>,
): Promise<{ readonly data: T; readonly etag: string | null } | null> {
  try {
    const { data, response } = await call.withResponse();
    return { data, etag: response.headers.get('etag') };
  } catch (error) {
    if (isBrandportError(error, 'not_modified')) return null;
    throw error;
  }
}
