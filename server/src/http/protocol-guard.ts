import type { IncomingMessage, Server } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { trackExchanges } from './latest-exchange.ts';
import { findProtocolFault } from './protocol-faults.ts';

const awaitingContinue = new WeakSet<IncomingMessage>();

/**
 * Handles what Node's server would answer automatically and without an envelope: an unknown `Expect`, and `100 Continue` before
 * the request is checked. Removes its limit of 1,000 header lines, beyond which it drops lines silently.
 */
export function takeOverProtocolAnswers(server: Server): void {
  trackExchanges(server);
  server.maxHeadersCount = 0;
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('checkContinue', (request, response) => {
    awaitingContinue.add(request);
    // After a final response without 100, the client may or may not send the body: the next request cannot be located.
    response.shouldKeepAlive = false;
    server.emit('request', request, response);
  });
}

/** Refuses requests that violate the protocol, before any other check, after counting them against the address. */
export function addProtocolGuard(app: FastifyInstance, before: BeforeRefusal): void {
  app.addHook('onRequest', (request, reply) => refuseProtocolFault(request, reply, before));
  // The request is admitted and its body will be read, so the client is asked to send it.
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

/** Runs before a request without a route is refused, and may refuse it for another reason, such as an empty bucket. */
export type BeforeRefusal = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
