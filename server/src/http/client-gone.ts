import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { ApiError } from '../errors/api-error.ts';

// All questions whether a client is still connected are here: Node's flags of streams are also set after a normal end.

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

/** Returns whether a response was passed to the system in full. */
function isSent({ writableFinished }: ServerResponse): boolean {
  return writableFinished;
}

/** Returns whether nothing more will be sent of a response: it was sent, or its client has disconnected. */
export function isOver(response: ServerResponse): boolean {
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
