import type { FastifyInstance } from 'fastify';
import { findLatestExchange } from './latest-exchange.ts';

/**
 * Closes the connection of a client that reads no byte of its response for `takeMs`: it could keep responses to any number of
 * requests in memory. The socket's timer watches the bytes in the kernel's queue, and Node sets it to the keep-alive timeout when
 * the last response is sent. It runs once the response begins, so handlers are not limited.
 */
export function addResponseTimeout(app: FastifyInstance, takeMs: number): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const { socket } = request.raw;
    // Injected requests of tests have no connection.
    if (findLatestExchange(socket) !== undefined) {
      socket.setTimeout(takeMs);
      reply.raw.once('finish', () => {
        const next = findLatestExchange(socket)?.response;
        if (next !== undefined && next !== reply.raw && !next.headersSent) socket.setTimeout(0);
      });
    }
    done(null, payload);
  });
}
