import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isOver } from './client-gone.ts';

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

const latest = new WeakMap<Socket, Exchange>();

export function trackExchanges(server: Server): void {
  server.prependListener('request', (request, response) => {
    latest.set(request.socket, { request, response });
  });
}

export function findLatestExchange(socket: Socket): Exchange | undefined {
  return latest.get(socket);
}

export function owesResponse(socket: Socket): boolean {
  const response = latest.get(socket)?.response;
  return response !== undefined && !isOver(response);
}

/** Runs `next` when all pending responses of the connection are sent, since they are sent in the order of requests. */
export function afterResponses(socket: Socket, next: () => void): void {
  if (owesResponse(socket)) latest.get(socket)?.response.once('close', next);
  else next();
}

/**
 * Fails the body of an exchange: its reader responds with `error`, and the connection is closed after that response. Unlike
 * `destroy`, this keeps the socket open for the response.
 */
export function failBody({ request, response }: Exchange, error: Error): void {
  response.shouldKeepAlive = false;
  if (request.listenerCount('error') > 0) {
    request.emit('error', error);
    return;
  }
  // No reader listens yet. An `error` event without a listener would end the process.
  const onListener = (event: string | symbol) => {
    if (event !== 'error') return;
    request.off('newListener', onListener);
    process.nextTick(() => {
      if (request.listenerCount('error') > 0) request.emit('error', error);
    });
  };
  request.on('newListener', onListener);
}
