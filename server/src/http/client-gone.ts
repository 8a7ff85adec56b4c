import type { FastifyReply } from 'fastify';
import { ApiError } from '../errors/api-error.ts';

/**
 * Returns a signal that aborts if the connection closes before the response is sent; no client is left to read its
 * reason.
 */
export function clientGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const abort = () => {
    // Also emitted after a complete response.
    if (!raw.writableFinished) gone.abort(new ApiError('bad_request'));
  };
  if (raw.destroyed) abort();
  else raw.once('close', abort);
  return gone.signal;
}
