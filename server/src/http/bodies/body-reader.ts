import { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { RequestBody } from '../../api/operation-request.ts';
import { ApiError, payloadTooLarge } from '../../errors/api-error.ts';
import { takeTurn } from '../../lib/loop-turns.ts';
import type { Owner, Reservation, Semaphore } from '../../lib/semaphore.ts';
import { TurnError } from '../../lib/turn-wait.ts';
import { ConnectionWatch } from '../client-connections.ts';
import { hasCredential, ownerOf } from '../request-owner.ts';
import { type BodyRooms, growingBytes, type Rooms, smallBytes } from './body-rooms.ts';
import { BodySource, freeBuffer, freeBytes, type HttpTimes } from './body-source.ts';
import { type ContentCoding, decodeGzip } from './content-coding.ts';

/** The response to a body for which no room became free in time: it says whose share is full [platform-77]. */
function noRoom(owner: Owner, isOwnShare: boolean): ApiError {
  const whose = typeof owner === 'number' ? 'This brand’s share' : 'Your share';
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

/** Room that is held for a body. */
interface Space {
  readonly bytes: number;
  readonly reservation: Reservation;
}

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
  readonly #rooms: Rooms;
  readonly #reservations: Reservation[] = [];
  #buffer: BodyBuffer | null = null;
  #connection: ConnectionWatch | null = null;
  #wayOut = '';

  constructor(request: FastifyRequest, options: BodyReaderOptions) {
    this.#request = request;
    this.#options = options;
    this.#source = new BodySource(request.raw, options.times);
    const { known, strangers } = options.rooms;
    this.#rooms = hasCredential(request) ? known : strangers;
  }

  async read(limit: number, workingBytes = 0, wayOut = ''): Promise<Uint8Array<ArrayBuffer>> {
    this.#wayOut = wayOut;
    const length = this.#lengthWithin(limit);
    if (length === 0) return new Uint8Array(0);
    const slot = await this.#takeSlot();
    const most = (length ?? this.#mostDecoded(limit)) + workingBytes;
    // All that it may need, before its first byte is read, so that it never stops half-way [D56].
    const isSure = length !== null && this.#rooms === this.#options.rooms.known;
    let space = await this.#takeSpace(
      isSure ? most : Math.min(most, workingBytes + smallBytes),
      most,
      isSure,
    );
    const buffer = new BodyBuffer(length, limit);
    this.#buffer = buffer;
    for await (const chunk of this.#decoded(limit)) {
      const needed = buffer.length + chunk.length + workingBytes;
      if (needed > space.bytes) {
        // The next room in their order: nobody who holds that one waits for this one.
        const next = await this.#takeSpace(needed, most, isSure);
        space.reservation.release();
        space = next;
      }
      buffer.append(chunk);
    }
    slot?.release();
    space.reservation.shrink(buffer.length + workingBytes);
    return buffer.finish();
  }

  async *chunks(limit: number, workingBytes: number): AsyncGenerator<Buffer> {
    if (this.#lengthWithin(limit) === 0) return;
    await this.#takeSlot();
    await this.#takeSpace(workingBytes, workingBytes, true);
    yield* this.#decoded(limit);
  }

  /** Waits for memory to parse a body and, for a large one, a turn. @throws ApiError `service_unavailable` */
  async reserveParsing(text: Uint8Array): Promise<void> {
    const { parsed, smallParsed } = this.#rooms;
    const isLarge = text.length > smallBytes;
    const owner = ownerOf(this.#request);
    if (isLarge) await takeTurn(owner);
    const bytes = parsedBytes(text);
    await this.#take(isLarge ? parsed : smallParsed, bytes);
    if (isLarge) await takeTurn(owner);
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
    return this.#take(this.#rooms.receiving, 1);
  }

  /**
   * Takes the space for `needed` bytes of a body of at most `most`. One of unknown length begins with the space for a small body,
   * and gets more as it arrives: few of those that may be large are.
   */
  async #takeSpace(needed: number, most: number, isSure: boolean): Promise<Space> {
    const { small, growing, large } = this.#rooms;
    const [room, bytes] =
      needed <= smallBytes
        ? [small, isSure ? needed : Math.min(most, smallBytes)]
        : needed <= growingBytes && !isSure
          ? [growing, Math.min(most, growingBytes)]
          : [large, most];
    return { bytes, reservation: await this.#take(room, bytes) };
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
