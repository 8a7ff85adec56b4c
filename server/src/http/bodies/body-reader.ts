import { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { RequestBody } from '../../api/operation-request.ts';
import { ApiError, payloadTooLarge } from '../../errors/api-error.ts';
import { type Reservation, Semaphore, TurnError, takeTurn } from '../../lib/semaphore.ts';
import { ConnectionWatch } from '../connections.ts';
import {
  BodySource,
  type ContentCoding,
  decodeGzip,
  freeBuffer,
  freeBytes,
  type HttpTimes,
} from './body-source.ts';

const mebibyte = 1024 * 1024;

/** Bodies up to this size, in bytes, have a separate room, so that large ones never delay ordinary requests. */
export const smallBytes = 64 * 1024;
/** The largest body with the working memory of its handler [platform-23]. */
const largestBytes = 36 * mebibyte;
/** In each room. */
const maxWaiting = 128;
/** Waiting requests each hold the first packets of their body, up to 128 KiB, which count, too. */
const waitingBytes = 2 * maxWaiting * 128 * 1024;
/** The room for large bodies in a small budget: the largest body, plus some for another brand. */
const leastLargeBytes = 40 * mebibyte;
/** The number of bodies that are received at a time, for a brand and for the process; they may stall. */
const receivingPerBrand = 32;
const receivingTotal = 512;
/** The heap of the thread that parses large bodies, beyond what the room of the body covers. */
const threadBytes = 64 * mebibyte;
/** Fits the parsed form of 1 MiB of the densest JSON. */
const largestParsedBytes = 22 * mebibyte;
/** A third fits the parsed form of `smallBytes` of the densest JSON. */
const smallParsedBytes = 8 * mebibyte;

/** The smallest budget, in bytes, in which the largest body fits. */
export const minBodyBudget = 96 * mebibyte;
export const defaultBodyBudget = 256 * mebibyte;

/** Limits the memory of bodies in flight, for the process and for each brand [platform-77] [D56]. */
export class BodyRooms {
  /** Bodies up to `smallBytes`. */
  readonly small: Semaphore;
  readonly large: Semaphore;
  /** Memory for the parsed form of bodies up to `smallBytes`. */
  readonly smallParsed: Semaphore;
  /** Memory for the parsed form of larger ordinary bodies. */
  readonly parsed: Semaphore;

  /** Counts bodies, not bytes: those that have not arrived in full. */
  readonly receiving: Semaphore;

  /**
   * `budget` in bytes: an eighth for small bodies, an eighth for parsed ones, up to 32 MiB for waiting bodies, 64 MiB for the
   * thread that parses large bodies, the rest for large bodies.
   */
  constructor(budget: number) {
    const eighth = Math.floor(budget / 8);
    const rest = budget - 2 * eighth;
    const room = (total: number, perOwner = Math.floor(total / 3)) =>
      new Semaphore({ total, perOwner, maxWaiting });
    this.small = room(eighth);
    this.smallParsed = room(smallParsedBytes);
    this.parsed = room(Math.max(eighth - smallParsedBytes, largestParsedBytes), largestParsedBytes);
    this.large = room(
      Math.max(rest - waitingBytes - threadBytes, Math.min(rest, leastLargeBytes)),
      Math.max(Math.floor(budget / 3), largestBytes),
    );
    this.receiving = room(receivingTotal, receivingPerBrand);
  }
}

/** The response to a body for which no room became free in time: it says whose share is full [platform-77]. */
function noRoom(owner: string, isOwnShare: boolean): ApiError {
  const whose = owner === 'platform' ? 'The share of administration' : 'This brand’s share';
  return new ApiError('service_unavailable', {
    message: isOwnShare
      ? `${whose} of the memory for request bodies is full: wait until its other requests are done.`
      : 'The server’s memory for request bodies is full: requests of several brands use all of it.',
    headers: { 'retry-after': '5' },
  });
}

/** The most bytes that a JSON value takes, such as an empty object. */
const bytesPerValue = 64;
/** Shorter bodies are not counted: the densest JSON has a value every 3 bytes. */
const uncountedBytes = 512;

/** Returns an upper bound of the memory, in bytes, that JSON.parse needs for a body, from its brackets and commas. */
function parsedBytes(text: Uint8Array): number {
  if (text.length <= uncountedBytes) return Math.ceil((text.length * bytesPerValue) / 3);
  let values = 1;
  for (let index = 0; index < text.length; index += 1) {
    const byte = text[index];
    if (byte === 0x2c || byte === 0x5b || byte === 0x7b) values += 1;
  }
  return 2 * text.length + values * bytesPerValue;
}

/** The most bytes that gzip decodes from one. */
const mostInflation = 1032;

/** The first room of a body of unknown length. */
const firstBytes = 16 * 1024;

interface BodyReaderOptions {
  readonly rooms: BodyRooms;
  readonly times: HttpTimes;
  readonly coding: ContentCoding;
}

/** Reads the body of one request from its connection, within the budgets of memory and time. */
export class BodyReader implements RequestBody {
  readonly #request: FastifyRequest;
  readonly #options: BodyReaderOptions;
  readonly #source: BodySource;
  readonly #reservations: Reservation[] = [];
  #buffer: BodyBuffer | null = null;
  #connection: ConnectionWatch | null = null;
  #wayOut = '';

  constructor(request: FastifyRequest, options: BodyReaderOptions) {
    this.#request = request;
    this.#options = options;
    this.#source = new BodySource(request.raw, options.times);
  }

  async read(limit: number, workingBytes = 0, wayOut = ''): Promise<Uint8Array<ArrayBuffer>> {
    this.#wayOut = wayOut;
    const length = this.#lengthWithin(limit);
    if (length === 0) return new Uint8Array(0);
    const slot = await this.#takeSlot();
    // All that it may need, before its first byte is read, so that it never stops half-way [D56].
    const room = await this.#takeRoom((length ?? this.#mostDecoded(limit)) + workingBytes);
    const buffer = new BodyBuffer(length, limit);
    this.#buffer = buffer;
    for await (const chunk of this.#decoded(limit)) buffer.append(chunk);
    slot?.release();
    room.shrink(buffer.length + workingBytes);
    return buffer.finish();
  }

  async *chunks(limit: number, workingBytes: number): AsyncGenerator<Buffer> {
    if (this.#lengthWithin(limit) === 0) return;
    await this.#takeSlot();
    await this.#takeRoom(workingBytes);
    yield* this.#decoded(limit);
  }

  /** Waits for memory to parse a body and, for a large one, a turn. @throws ApiError `service_unavailable` */
  async reserveParsing(text: Uint8Array): Promise<void> {
    const { parsed, smallParsed } = this.#options.rooms;
    const isLarge = text.length > smallBytes;
    if (isLarge) await takeTurn();
    const bytes = parsedBytes(text);
    await this.#take(isLarge ? parsed : smallParsed, bytes);
    if (isLarge) await takeTurn();
  }

  /** Releases the room of the body, which is no longer needed. Safe to call again. */
  close(): void {
    this.#source.close();
    this.#connection?.stop();
    this.#buffer?.free();
    this.#buffer = null;
    for (const reservation of this.#reservations.splice(0)) reservation.release();
  }

  /** Returns the exact length of the body, null if only reading tells it. @throws ApiError `payload_too_large` */
  #lengthWithin(limit: number): number | null {
    const declared = declaredLength(this.#request);
    if (declared === null || declared === 0) return declared;
    if (this.#options.coding !== 'identity') return null;
    if (declared > limit) throw this.#tooLarge(limit);
    return declared;
  }

  #tooLarge(limit: number): ApiError {
    return payloadTooLarge(limit, { isDecoded: this.#options.coding !== 'identity', wayOut: this.#wayOut });
  }

  /** The most bytes to which a body of unknown length may decode. */
  #mostDecoded(limit: number): number {
    return Math.min(limit, (declaredLength(this.#request) ?? limit) * mostInflation);
  }

  async *#decoded(limit: number): AsyncGenerator<Buffer> {
    const isGzip = this.#options.coding === 'gzip';
    // Injected requests of tests own their bytes.
    const isOurs = isGzip || this.#request.raw instanceof IncomingMessage;
    let length = 0;
    for await (const chunk of isGzip ? decodeGzip(this.#received()) : this.#received()) {
      length += chunk.length;
      if (length > limit) throw this.#tooLarge(limit);
      yield chunk;
      if (isOurs) freeBytes(chunk);
    }
  }

  async *#received(): AsyncGenerator<Buffer> {
    for (;;) {
      const chunk = await this.#source.next();
      if (chunk === null) return;
      yield chunk;
    }
  }

  /** Takes one of the slots for bodies that are being received. A body that has arrived already needs none. */
  async #takeSlot(): Promise<Reservation | null> {
    // Injected requests of tests have no `complete`.
    if (this.#request.raw.complete !== false) return null;
    return this.#take(this.#options.rooms.receiving, 1);
  }

  #takeRoom(bytes: number): Promise<Reservation> {
    const { small, large } = this.#options.rooms;
    return this.#take(bytes <= smallBytes ? small : large, bytes);
  }

  async #take(room: Semaphore, units: number): Promise<Reservation> {
    const owner = ownerOf(this.#request);
    try {
      const reservation = await room.take(owner, units, {
        limitMs: this.#options.times.roomMs,
        gone: () => this.#goneSignal(),
      });
      this.#reservations.push(reservation);
      return reservation;
    } catch (error) {
      throw error instanceof TurnError ? noRoom(owner, room.isShareFull(owner, units)) : error;
    }
  }

  /** A request that never waits watches nothing. */
  #goneSignal(): AbortSignal {
    this.#connection ??= new ConnectionWatch(this.#request.raw.socket);
    return this.#connection.signal;
  }
}

/** The Content-Length in bytes; 0 without a body, null for a chunked one. */
function declaredLength({ headers }: FastifyRequest): number | null {
  if (headers['transfer-encoding'] !== undefined) return null;
  return Number(headers['content-length'] ?? 0);
}

/** The owner of the share of the budget that a body takes: its brand, also on the internal surface. */
function ownerOf({ caller, params }: FastifyRequest): string {
  const { id } = (params ?? {}) as { id?: string };
  return String(caller?.brandId ?? id ?? 'platform');
}

/** Collects a body in one buffer. */
class BodyBuffer {
  readonly #limit: number;
  #buffer: ArrayBuffer;
  #length = 0;

  /** `declared`: the exact length in bytes, or null: the buffer then grows up to `limit`. */
  constructor(declared: number | null, limit: number) {
    this.#limit = limit;
    this.#buffer = new ArrayBuffer(declared ?? Math.min(firstBytes, limit));
  }

  get length(): number {
    return this.#length;
  }

  append(chunk: Uint8Array): void {
    const needed = this.#length + chunk.length;
    const room = this.#buffer.byteLength;
    if (needed > room)
      this.#buffer = this.#buffer.transfer(Math.max(needed, Math.min(2 * room, this.#limit)));
    new Uint8Array(this.#buffer).set(chunk, this.#length);
    this.#length = needed;
  }

  /** Returns the body, which uses the whole of its buffer. */
  finish(): Uint8Array<ArrayBuffer> {
    if (this.#length < this.#buffer.byteLength) this.#buffer = this.#buffer.transfer(this.#length);
    return new Uint8Array(this.#buffer);
  }

  /** Frees the memory immediately, unless it was transferred to a thread. The body must not be used afterwards. */
  free(): void {
    freeBuffer(this.#buffer);
  }
}
