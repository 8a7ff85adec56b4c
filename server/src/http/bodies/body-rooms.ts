import { ApiError } from '../../errors/api-error.ts';
import { Semaphore } from '../../lib/semaphore.ts';

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

/** Limits the memory of bodies in flight, for the process and for each brand [platform-77] [D57]. */
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

/** The response to a body for which no room became free in time. */
export function noRoom(): ApiError {
  return new ApiError('service_unavailable', {
    message: 'The server’s memory for request bodies is full.',
    headers: { 'retry-after': '5' },
  });
}

/** The most bytes that a JSON value takes, such as an empty object. */
const bytesPerValue = 64;
/** Shorter bodies are not counted: the densest JSON has a value every 3 bytes. */
const uncountedBytes = 512;

/** Returns an upper bound of the memory, in bytes, that JSON.parse needs for a body, from its brackets and commas. */
export function parsedBytes(text: Uint8Array): number {
  if (text.length <= uncountedBytes) return Math.ceil((text.length * bytesPerValue) / 3);
  let values = 1;
  for (let index = 0; index < text.length; index += 1) {
    const byte = text[index];
    if (byte === 0x2c || byte === 0x5b || byte === 0x7b) values += 1;
  }
  return 2 * text.length + values * bytesPerValue;
}
