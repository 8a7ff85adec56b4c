import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Listener, Metrics } from './metrics.ts';

/** How a request is recorded whose client went away before the end of the response. */
const clientGone = 499;

export type RecordRequest = (request: FastifyRequest, reply: FastifyReply) => void;

/**
 * Writes one log line and counts once for each request, when its response is out or its client is gone; the latter is
 * recorded with status 499, whatever becomes of what the request has begun. Log lines name the route, never a header,
 * a body or the path that was sent.
 */
export function requestRecorder(listener: Listener, metrics: Metrics): RecordRequest {
  return (request, reply) => {
    const record = (status: number) => {
      reply.raw.off('finish', onSent).off('close', onGone);
      const route = request.routeOptions.url ?? '(unknown)';
      const { method, caller } = request;
      metrics.request(listener, method, route, status, reply.elapsedTime / 1000);
      request.log.info(
        {
          method,
          route,
          status,
          ms: Math.round(reply.elapsedTime * 10) / 10,
          ...(caller && { brand_id: caller.brandId, key_id: caller.keyId }),
        },
        'request',
      );
    };
    const onSent = () => record(reply.statusCode);
    const onGone = () => record(clientGone);
    reply.raw.on('finish', onSent).on('close', onGone);
  };
}
