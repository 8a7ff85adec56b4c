import { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { RequestBody } from '../../api/request-body.ts';
import { ApiError } from '../../errors/api-error.ts';
import { freeBuffer, freeBytes } from '../../lib/free-bytes.ts';
import { TurnError } from '../../lib/limit-wait.ts';
import type { Reservation, Semaphore } from '../../lib/semaphore.ts';
import { takeTurn } from '../../lib/turns.ts';
import { ConnectionWatch } from '../client-gone.ts';
import { type BodyRooms, noRoom, parsedBytes, smallBytes } from './body-rooms.ts';
import { BodySource } from './body-source.ts';
import type { HttpTimes } from './body-times.ts';
import type { ContentCoding } from './content-coding.ts';
import { decodeGzip } from './decode-gzip.ts';

/** The most bytes that gzip decodes from one. */
const mostInflation = 1032;

/** The first room of a body of unknown length. */
const firstBytes = 16 * 1024;

export interface BodyReaderOptions {
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

  constructor(request: FastifyRequest, options: BodyReaderOptions) {
    this.#request = request;
    this.#options = options;
    this.#source = new BodySource(request.raw, options.times);
  }

  async read(limit: number, workingBytes = 0): Promise<Uint8Array<ArrayBuffer>> {
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
    if (declared > limit) throw new ApiError('payload_too_large');
    return declared;
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
      if (length > limit) throw new ApiError('payload_too_large');
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
    try {
      const reservation = await room.take(ownerOf(this.#request), units, {
        limitMs: this.#options.times.roomMs,
        gone: () => this.#goneSignal(),
      });
      this.#reservations.push(reservation);
      return reservation;
    } catch (error) {
      throw error instanceof TurnError ? noRoom() : error;
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
