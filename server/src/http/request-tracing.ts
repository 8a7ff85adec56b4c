import type { FastifyInstance, FastifyRequest } from 'fastify';
import { currentTracing, type RequestSpan, traceIdOf } from '../lib/tracing.ts';
import { isSent } from './client-gone.ts';
import { routeOf } from './known-paths.ts';

const spans = new WeakMap<object, RequestSpan>();

/**
 * Gives every request a span, if tracing is on when the app is created. The context is entered again after the body has arrived,
 * because the socket's events belong to no request.
 */
export function addRequestTracing(app: FastifyInstance): void {
  const tracing = currentTracing();
  if (tracing === null) return;
  app.addHook('onRequest', (request, reply, done) => {
    const span = tracing.beginRequest(request.headers);
    spans.set(request.raw, span);
    reply.raw.once('close', () => {
      const { method, caller, id } = request;
      const route = routeOf(request);
      const status = isSent(reply.raw) ? reply.statusCode : 499;
      span.end({ method, route, status, requestId: id, brandId: caller?.brandId ?? null });
    });
    span.run(done);
  });
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request.raw);
    if (span === undefined) done();
    else span.run(done);
  });
}

/** Returns the trace id for the request's log line: the span's, or without tracing the one that the client sent. */
export function traceIdOfRequest({ raw, headers }: FastifyRequest): string | null {
  return spans.get(raw)?.traceId ?? traceIdOf(headers['traceparent']);
}
