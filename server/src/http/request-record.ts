import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientGone, type KeyUse } from '../access/key-usage/usage-counts.ts';
import type { Reply } from '../api/reply.ts';
import { routeOf } from './known-paths.ts';
import type { Listener, Metrics } from './metrics.ts';
import { traceIdOfRequest } from './request-tracing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** See `Reply.logged`. */
    logged: Reply['logged'] | null;
  }
}

/** Counts a request of an API key. */
export type CountUse = (use: KeyUse, status: number) => void;

export type RecordRequest = (request: FastifyRequest, reply: FastifyReply) => void;

/**
 * Writes one log line and counts once per request, for the metrics and for its key, when its response is sent or its client
 * has disconnected; the latter is recorded with status 499, even if the request's work continues. Log lines name the route,
 * never a header, a body or the path that was sent.
 */
export function requestRecorder(
  listener: Listener,
  metrics: Metrics,
  countUse: CountUse = () => {},
): RecordRequest {
  return (request, reply) => {
    // Before the connection is gone, and its address with it.
    const { address } = request.origin;
    const traceId = traceIdOfRequest(request);
    const record = (status: number) => {
      reply.raw.off('finish', onSent).off('close', onGone);
      const route = routeOf(request);
      const { method, caller, keyUse } = request;
      // A request that failed before routing has neither of them, not even as null.
      if (keyUse) countUse(keyUse, status);
      metrics.request({ listener, method, route, status, seconds: reply.elapsedTime / 1000 });
      request.log.info(
        {
          method,
          route,
          status,
          address,
          ...(traceId !== null && { trace_id: traceId }),
          ms: Math.round(reply.elapsedTime * 10) / 10,
          ...(caller && { brand_id: caller.brandId, key_id: caller.keyId }),
          ...request.logged,
        },
        'request',
      );
    };
    const onSent = () => record(reply.statusCode);
    const onGone = () => record(clientGone);
    reply.raw.on('finish', onSent).on('close', onGone);
  };
}
