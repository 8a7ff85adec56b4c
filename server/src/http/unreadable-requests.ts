import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import type { RateDecision } from '../access/rate-limits/rate-limits.ts';
import { ApiError } from '../errors/api-error.ts';
import { plainAddress } from '../lib/addresses.ts';
import { findDenial, rateLimitHeaders } from './admission.ts';
import { afterResponses, failBody, findLatestExchange } from './client-connections.ts';
import { errorBody } from './error-handler.ts';
import type { Listener, Metrics } from './metrics.ts';
import { chooseRequestId } from './request-record.ts';

export type CountAddress = (address: string) => Promise<RateDecision | null>;

export interface UnreadableRequestsDeps {
  readonly listener: Listener;
  readonly metrics: Metrics;
  readonly logger: FastifyBaseLogger;
  readonly countAddress: CountAddress;
}

type ParserError = Error & { code?: string };

const messages: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The request line and headers exceed 16 KiB.',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'The chunk extensions exceed 16 KiB.',
};

// A client that is still sending could lose the response if the connection were closed at once.
const lingerMs = 1_000;

/**
 * Responds to requests that Node's parser rejects, and to CONNECT [platform-72] [D42], after the pending responses of the
 * connection. The log has none of the received bytes. The connection is closed, because the next request could begin anywhere.
 * @returns the listener for `clientError`
 */
export function answerUnreadable(server: Server, deps: UnreadableRequestsDeps) {
  const refused = new WeakSet<Socket>();

  server.on('connect', (request: IncomingMessage, stream) => {
    const socket = stream as Socket;
    // Node has removed its own listener and no longer reads.
    socket.on('error', () => {});
    socket.resume();
    const error = new ApiError('bad_request', {
      message: 'CONNECT is not supported: this server is not a proxy.',
    });
    refuse(socket, { error, method: 'CONNECT', reason: 'CONNECT', id: chooseRequestId(request) });
  });

  return function onClientError(failure: ParserError, socket: Socket): void {
    // Each further packet of a refused connection fails again.
    if (refused.has(socket)) return;
    // A disconnected client gets no response, and a silent one expects none.
    if (failure.code === 'ECONNRESET' || !socket.writable || socket.bytesRead === 0) {
      socket.destroy();
      return;
    }
    const message = messages[failure.code ?? ''];
    const code = failure.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'bad_request';
    const error = new ApiError(code, message === undefined ? {} : { message });
    const latest = findLatestExchange(socket);
    if (latest === undefined || latest.request.complete) {
      const reason = failure.code ?? failure.name;
      refuse(socket, { error, method: '(unreadable)', reason, id: randomUUID() });
      return;
    }
    refused.add(socket);
    if (!latest.response.headersSent) failBody(latest, error);
    afterResponses(socket, () => linger(socket));
  };

  function refuse(socket: Socket, refusal: Refusal): void {
    const since = performance.now();
    refused.add(socket);
    const address = plainAddress(socket.remoteAddress ?? '');
    afterResponses(socket, () => {
      if (!socket.writable) return;
      deps.countAddress(address).then(
        (decision) => answer(socket, { ...refusal, address, decision, since }),
        () => socket.destroy(),
      );
    });
  }

  function answer(socket: Socket, refusal: CountedRefusal): void {
    const { method, reason, id, address, decision, since } = refusal;
    const error = findDenial(decision, deps.metrics) ?? refusal.error;
    const seconds = (performance.now() - since) / 1000;
    const { status } = error;
    const route = '(unreadable)';
    deps.metrics.request({ listener: deps.listener, method, route, status, seconds });
    deps.logger.info({ reqId: id, method, route, status, address, reason }, 'request');
    if (socket.writable) socket.write(responseBytes(error, id, decision, deps.listener));
    linger(socket);
  }
}

interface Refusal {
  readonly error: ApiError;
  /** The label of the metrics and the log: nothing that a client can choose. */
  readonly method: 'CONNECT' | '(unreadable)';
  readonly reason: string;
  readonly id: string;
}

interface CountedRefusal extends Refusal {
  readonly address: string;
  readonly decision: RateDecision | null;
  /** The start, by the monotonic clock, milliseconds. */
  readonly since: number;
}

function responseBytes(
  error: ApiError,
  id: string,
  decision: RateDecision | null,
  listener: Listener,
): string {
  const body = JSON.stringify(errorBody(error, listener));
  const headers = {
    'x-request-id': id,
    'cache-control': 'no-store',
    ...rateLimitHeaders(decision),
    ...error.details.headers,
    date: new Date().toUTCString(),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`, ...lines, '', body].join('\r\n');
}

/** Closes the connection after the client had time to read. Until then, for `lingerMs` at most, its bytes are discarded. */
function linger(socket: Socket): void {
  socket.end();
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
