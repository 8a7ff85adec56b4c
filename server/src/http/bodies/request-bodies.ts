import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest, preValidationHookHandler } from 'fastify';
import { invalidField } from '../../errors/api-error.ts';
import { takeTurn } from '../../lib/loop-turns.ts';
import { parseJson, parseLargeJson } from '../../lib/parse-json.ts';
import { ownerOf } from '../request-owner.ts';
import { BodyReader } from './body-reader.ts';
import { BodyRooms, defaultBodyBudget, smallBytes } from './body-rooms.ts';
import { defaultHttpTimes, freeBytes, type HttpTimes } from './body-source.ts';
import { contentCodingOf, requireUtf8 } from './content-coding.ts';

/** More than any accepted body: a client that never stops sending is disconnected. */
const maxDrainedBytes = 80 * 1024 * 1024;
const checkMs = 50;
/**
 * The most values of a body above `boundedBytes` [platform-23]: with all that 8 MiB can have, the collector of garbage and the
 * loop over the names of an object hold the thread for 90 and 240 ms at a time [D292].
 */
const mostValues = 150_000;
const boundedBytes = 1024 * 1024;

/**
 * Prepares the response to a request whose body has not arrived in full: it says `Connection: close`, and the rest of the body is
 * discarded for a bounded time, because closing at once would reset the connection [D31]. Calls `send` once the response can be
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

declare module 'fastify' {
  interface FastifyRequest {
    /** Set while the request has a body in flight. */
    bodyReader: BodyReader | null;
  }
}

export interface RequestBodiesOptions {
  readonly budget?: number;
  /** Default: `defaultHttpTimes`. */
  readonly times?: Partial<HttpTimes>;
}

/** Reads the bodies of requests; one per process, shared by both listeners. */
export class RequestBodies {
  readonly times: HttpTimes;
  readonly rooms: BodyRooms;

  constructor({ budget = defaultBodyBudget, times }: RequestBodiesOptions = {}) {
    this.times = { ...defaultHttpTimes, ...times };
    this.rooms = new BodyRooms(budget);
  }

  /** Releases a body when the response to its request is sent, with any outcome. */
  register(app: FastifyInstance): void {
    app.decorateRequest('bodyReader', null);
    app.addHook('onSend', (request, _reply, payload, done) => {
      if (request.bodyReader !== null) {
        request.bodyReader.close();
        request.bodyReader = null;
      }
      done(null, payload);
    });
  }

  /** Returns the unread body. @throws ApiError `unsupported_media_type` for a charset or content coding that is not accepted */
  open(request: FastifyRequest, { acceptsGzip }: { acceptsGzip: boolean }): BodyReader {
    requireUtf8(request.headers['content-type']);
    const coding = contentCodingOf(request.headers['content-encoding'], acceptsGzip);
    request.bodyReader = new BodyReader(request, { rooms: this.rooms, times: this.times, coding });
    return request.bodyReader;
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The exact bytes of the body, for the fingerprint of an idempotent request; null without a body. */
    rawBody: Buffer | null;
  }
}

/**
 * Reads JSON bodies, keeping their bytes. A body that is not UTF-8 or not JSON is `validation_failed` on `body` [platform-22]; an
 * empty one counts as absent. A key named `__proto__` is ignored like any other unknown key [D64].
 */
export function addJsonBodies(app: FastifyInstance, bodies: RequestBodies): void {
  app.decorateRequest('rawBody', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', async (request: FastifyRequest) => {
    const reader = bodies.open(request, { acceptsGzip: false });
    const bytes = await reader.read(request.routeOptions.bodyLimit);
    request.rawBody = Buffer.from(bytes.buffer);
    if (bytes.length === 0) return undefined;
    await reader.reserveParsing(bytes);
    const most = bytes.length > boundedBytes ? mostValues : Infinity;
    const parsed = isLarge(request)
      ? await parseLargeJson(bytes, () => takeTurn(ownerOf(request)), most)
      : parseJson(bytes);
    if ('problem' in parsed) throw invalidField('body', parsed.problem);
    return parsed.value;
  });
}

function isLarge({ rawBody }: FastifyRequest): boolean {
  return rawBody !== null && rawBody.length > smallBytes;
}

/** A hook that lets other requests run between two steps that go through the whole of a large body [D292]. */
export const pauseAfterLargeBody: preValidationHookHandler = (request, _reply, done) => {
  if (isLarge(request)) void takeTurn(ownerOf(request)).then(() => done());
  else done();
};

/** Refuses a body that is not an object [platform-22]. An optional body that is absent counts as an empty object. */
export function requireObjectBody(request: FastifyRequest, isOptional = false): void {
  if (isOptional && request.body === undefined) request.body = {};
  const { body } = request;
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalidField('body', 'must be a JSON object');
}
