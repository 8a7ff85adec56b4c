import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { freeBytes } from '../../lib/free-bytes.ts';

/** More than any accepted body: a client that never stops sending is disconnected. */
const maxDrainedBytes = 80 * 1024 * 1024;
const checkMs = 50;

/**
 * Prepares the response to a request whose body has not arrived in full: it says `Connection: close`, and the rest of the body is
 * discarded for a bounded time, because closing at once would reset the connection [D52]. Calls `send` once the response can be
 * sent.
 */
export function closeAfterEarlyAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  lingerMs: number,
  send: () => void,
): void {
  // Requests that are injected by tests have no connection and no `complete`.
  if (request.complete !== false) {
    send();
    return;
  }
  // A body that came in one packet with its headers is parsed after this turn.
  setImmediate(() => {
    if (!request.complete) {
      const { socket } = request;
      response.shouldKeepAlive = false;
      // Node automatically discards the rest of a request that was never read, but leaves every chunk to the garbage collector.
      const chunk = request.read() as Buffer | null;
      if (chunk !== null) freeBytes(chunk);
      // Node calls this after the last response of a connection.
      socket.destroySoon = () => linger(request, socket, lingerMs);
    }
    send();
  });
}

function linger(request: IncomingMessage, socket: Socket, lingerMs: number): void {
  const drainedFrom = socket.bytesRead;
  const start = performance.now();
  const close = () => Socket.prototype.destroySoon.call(socket);
  const timer = setInterval(() => {
    const isOver = performance.now() - start > lingerMs || socket.bytesRead - drainedFrom > maxDrainedBytes;
    if (isOver) socket.destroy();
    else if (request.complete) close();
  }, checkMs);
  socket.once('close', () => clearInterval(timer));
  socket.end();
  if (request.complete) close();
  else request.removeAllListeners('readable').removeAllListeners('data').on('data', freeBytes).resume();
}
