import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { ApiError } from '../errors/api-error.ts';

// Everything that asks whether a client is still connected is here: Node's flags of streams are also set after a normal end.

/** Returns a signal that aborts if the connection closes before the response is sent. */
export function clientGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const abort = () => {
    // Also emitted after a complete response.
    if (!isSent(raw)) gone.abort(new ApiError('bad_request'));
  };
  if (raw.destroyed) abort();
  else raw.once('close', abort);
  return gone.signal;
}

/** Calls `done` once nothing more will be sent of a response, at once if its connection is closed. */
export function onceOver({ raw }: FastifyReply, done: () => void): void {
  if (raw.destroyed) done();
  else raw.once('close', done);
}

/** Returns whether a response was passed to the system in full. */
function isSent({ writableFinished }: ServerResponse): boolean {
  return writableFinished;
}

/** Returns whether nothing more will be sent of a response: it was sent, or its client has disconnected. */
function isOver(response: ServerResponse): boolean {
  return isSent(response) || response.destroyed;
}

/** Returns whether the body of a request ends before all of it arrived: a body that was read is also `destroyed`. */
export function isCutOff({ destroyed, readableEnded }: Readable): boolean {
  return destroyed && !readableEnded;
}

/** Watches the connection of a request whose body is being read. */
export class ConnectionWatch {
  readonly #socket: Socket;
  readonly #gone = new AbortController();
  readonly #abort = () => this.#gone.abort(new ApiError('bad_request'));

  constructor(socket: Socket) {
    this.#socket = socket;
    if (socket.destroyed) this.#abort();
    else socket.once('close', this.#abort);
  }

  /** Aborts when the connection closes, with the error for the log. */
  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  /** Stops watching. Safe to call again. */
  stop(): void {
    this.#socket.off('close', this.#abort);
  }
}

interface Exchange {
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

/**
 * Closes the connection of a client that reads no byte of its response for `takeMs`, or up to twice that if the kernel took some
 * first: it could keep responses to any number of requests in memory. The socket's timer watches the bytes in the kernel's queue;
 * Node sets it to the keep-alive timeout when the last response is sent. It runs once the response begins: no handler is limited.
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
