import type { FastifyReply } from 'fastify';
import { ApiError } from '../errors/api-error.ts';

/** Aborted when the connection of a request closes before its answer is sent; nobody is there to read the reason. */
export function clientGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const abort = () => gone.abort(new ApiError('bad_request'));
  if (raw.destroyed) abort();
  else raw.once('close', abort);
  return gone.signal;
}
