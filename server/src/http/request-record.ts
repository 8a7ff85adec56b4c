import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { clientGone } from '../access/key-usage/usage-counts.ts';
import type { Reply } from '../api/reply.ts';
import { routeOf } from './known-paths.ts';
import type { Listener, Metrics } from './metrics.ts';

const acceptable = /^[A-Za-z0-9._-]{1,128}$/;

// An API key or feed token would be well formed, too, but a secret must not be logged or echoed.
const secret = /tuk_[0-9a-f]{24}\.|cfk_/;

/** Returns the client's X-Request-Id if it is well formed and not a secret, otherwise a new id [platform-68] [D42]. */
export function chooseRequestId(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && acceptable.test(sent) && !secret.test(sent) ? sent : randomUUID();
}

declare module 'fastify' {
  interface FastifyRequest {
    /** See `Reply.logged`; of a 503 its reason. */
    logged: Reply['logged'] | null;
  }
}

/** Notes a request for its API key. */
export type NoteRequest = (request: FastifyRequest, status: number) => void;

export type RecordRequest = (request: FastifyRequest, reply: FastifyReply) => void;

/** Records every request that is routed. */
export function addRequestRecord(app: FastifyInstance, record: RecordRequest): void {
  app.decorateRequest('logged', null);
  app.addHook('onRequest', (request, reply, done) => {
    record(request, reply);
    done();
  });
}

/**
 * Writes one log line and counts once per request, for the metrics and for its key, when its response is sent or its client has
 * disconnected (status 499, even if the work continues). A 5xx is a warning. Log lines name the route, never a header, a body or
 * the path that was sent.
 */
export function requestRecorder(
  listener: Listener,
  metrics: Metrics,
  note: NoteRequest = () => {},
): RecordRequest {
  return (request, reply) => {
    // Before the connection is gone, and its address with it.
    const { address } = request.origin;
    const record = (status: number) => {
      reply.raw.off('finish', onSent).off('close', onGone);
      const route = routeOf(request);
      const { method, caller } = request;
      note(request, status);
      metrics.request({ listener, method, route, status, seconds: reply.elapsedTime / 1000 });
      request.log[status >= 500 ? 'warn' : 'info'](
        {
          method,
          route,
          status,
          address,
          ms: Math.round(reply.elapsedTime * 10) / 10,
          // A request that failed before routing does not have it, not even as null.
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

export function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}
