import type { IncomingMessage, Server } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BeforeRefusal } from './before-refusal.ts';
import { trackExchanges } from './latest-exchange.ts';
import { findProtocolFault } from './protocol-faults.ts';

const awaitingContinue = new WeakSet<IncomingMessage>();

/**
 * Handles requests that Node's server would answer automatically, without an envelope: an unknown `Expect`,
 * and `100 Continue` before the request is checked. Lifts its limit of 1,000 header lines, past which it
 * drops lines silently.
 */
export function takeOverProtocolAnswers(server: Server): void {
  trackExchanges(server);
  server.maxHeadersCount = 0;
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('checkContinue', (request, response) => {
    awaitingContinue.add(request);
    // A final answer without 100: the client may send the body or not, so the next request cannot be found.
    response.shouldKeepAlive = false;
    server.emit('request', request, response);
  });
}

/** Refuses what breaks the protocol before anything else is looked at; counts it against the address first. */
export function addProtocolGuard(app: FastifyInstance, before: BeforeRefusal): void {
  app.addHook('onRequest', (request, reply) => refuseProtocolFault(request, reply, before));
  // Once a request is let in its body is read: now the client is asked for it.
  app.addHook('preParsing', (request, reply, _payload, done) => {
    if (awaitingContinue.delete(request.raw)) {
      reply.raw.shouldKeepAlive = true;
      reply.raw.writeContinue();
    }
    done();
  });
}

/** @throws ApiError `bad_request`, or `rate_limited` */
export async function refuseProtocolFault(
  request: FastifyRequest,
  reply: FastifyReply,
  before: BeforeRefusal,
): Promise<void> {
  const { connection = '', upgrade } = request.raw.headers;
  // An upgrade is ignored. Node loses what follows such a request in the same packet, so the connection cannot go on.
  if (upgrade !== undefined && /\bupgrade\b/i.test(connection)) reply.header('connection', 'close');
  const fault = findProtocolFault(request.raw);
  if (fault === null) return;
  reply.header('connection', 'close');
  await before(request, reply);
  throw fault;
}
