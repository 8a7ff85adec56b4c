import { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { ReceivedBody, RequestBody } from '../../api/request-body.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { FairLine, Reservation } from '../../lib/fair-line/fair-line.ts';
import type { Displaceable } from '../../lib/fair-line/fair-order.ts';
import { TurnError } from '../../lib/fair-line/limit-wait.ts';
import { freeBytes } from '../../lib/free-bytes.ts';
import { takeTurn } from '../../lib/turns.ts';
import { ConnectionWatch } from '../client-gone.ts';
import { BodyBlocks } from './body-blocks.ts';
import { type BodyRooms, noRoom, parsedBytes, smallBytes } from './body-rooms.ts';
import { BodySource } from './body-source.ts';
import type { HttpTimes } from './body-times.ts';
import type { ContentCoding } from './content-coding.ts';
import { decodeGzip } from './decode-gzip.ts';

/** The most bytes that gzip decodes from one. */
const mostInflation = 1032;

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
  #blocks: BodyBlocks | null = null;
  #connection: ConnectionWatch | null = null;
  readonly #work: Displaceable = {
    pace: () => this.#source.pace(),
    displace: () => this.#source.fail(noRoom()),
  };

  constructor(request: FastifyRequest, options: BodyReaderOptions) {
    this.#request = request;
    this.#options = options;
    this.#source = new BodySource(request.raw, options.times);
  }

  async read(limit: number, workingBytes = 0): Promise<ReceivedBody> {
    const declared = declaredLength(this.#request);
    if (declared === 0) return { blocks: [], length: 0 };
    const isExact = declared !== null && this.#options.coding === 'identity';
    if (isExact && declared > limit) throw new ApiError('payload_too_large');
    const slot = await this.#takeSlot();
    // All that it may need, before its first byte is read, so that it never stops half-way [D56].
    const most = isExact ? declared : Math.min(limit, (declared ?? limit) * mostInflation);
    const room = await this.#takeRoom(most + workingBytes);
    const blocks = new BodyBlocks(isExact ? declared : null);
    this.#blocks = blocks;
    for await (const chunk of this.#decoded()) {
      if (blocks.length + chunk.length > limit) throw new ApiError('payload_too_large');
      blocks.append(chunk);
    }
    slot?.release();
    room.shrink(blocks.length + workingBytes);
    return blocks.finish();
  }

  async *chunks(workingBytes: number): AsyncGenerator<Buffer> {
    if (declaredLength(this.#request) === 0) return;
    await this.#takeSlot();
    await this.#takeRoom(workingBytes);
    yield* this.#decoded();
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
    this.#blocks?.free();
    this.#blocks = null;
    for (const reservation of this.#reservations.splice(0)) reservation.release();
  }

  async *#decoded(): AsyncGenerator<Buffer> {
    const isGzip = this.#options.coding === 'gzip';
    // Injected requests of tests own their bytes.
    const isOurs = isGzip || this.#request.raw instanceof IncomingMessage;
    for await (const chunk of isGzip ? decodeGzip(this.#received()) : this.#received()) {
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
    return this.#take(this.#options.rooms.receiving, 1, this.#work);
  }

  #takeRoom(bytes: number): Promise<Reservation> {
    const { small, large } = this.#options.rooms;
    return this.#take(bytes <= smallBytes ? small : large, bytes, this.#work);
  }

  async #take(room: FairLine, bytes: number, work?: Displaceable): Promise<Reservation> {
    try {
      const reservation = await room.take(ownerOf(this.#request), bytes, {
        limitMs: this.#options.times.roomMs,
        gone: () => this.#goneSignal(),
        ...(work && { work }),
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
