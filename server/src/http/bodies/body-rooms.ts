import { Semaphore } from '../../lib/semaphore.ts';

const mebibyte = 1024 * 1024;

/** Bodies up to this size, in bytes, have a separate room, so that large ones never delay ordinary requests. */
export const smallBytes = 64 * 1024;
/** Bodies of unknown length have a separate room up to this size, and reserve their limit only beyond it. */
export const growingBytes = 2 * mebibyte;
/** The largest body with the working memory of its handler [platform-23]. */
const largestBytes = 36 * mebibyte;
/** The most that wait in a room. Each holds the first packets of its body, up to 128 KiB. */
const mostWaiting = { small: 64, growing: 32, large: 64 };
const waitingBytes = 160 * 128 * 1024;
/** The number of bodies that are received at a time, for a brand and for the process; they may stall. */
const receivingPerOwner = 32;
const receivingTotal = 512;
/** The share of the thread that parses large bodies, whose heap has up to 176 MiB: the budget does not hold all of it. */
const threadBytes = 64 * mebibyte;
/** Fits the parsed form of 1 MiB of the densest JSON. */
const largestParsedBytes = 22 * mebibyte;
/** A third fits the parsed form of `smallBytes` of the densest JSON. */
const smallParsedBytes = 8 * mebibyte;
/** The room for large bodies in a small budget: the largest body, plus some for another brand. */
const leastLargeBytes = 40 * mebibyte;
const strangersBytes = 32 * mebibyte;

/** The smallest budget, in bytes, in which the largest body fits. */
export const minBodyBudget = 96 * mebibyte;
/** The smallest budget in which the largest bodies of two brands fit. */
export const defaultBodyBudget = 256 * mebibyte;

/** The rooms that one request may take from. Each holder waits for at most one, in this order, and gives the smaller one back. */
export interface Rooms {
  /** Bodies up to `smallBytes`. */
  readonly small: Semaphore;
  /** Bodies of unknown length up to `growingBytes`. */
  readonly growing: Semaphore;
  readonly large: Semaphore;
  /** Memory for the parsed form of bodies up to `smallBytes`. */
  readonly smallParsed: Semaphore;
  /** Memory for the parsed form of larger ordinary bodies. */
  readonly parsed: Semaphore;
  /** Counts bodies, not bytes: those that have not arrived in full. */
  readonly receiving: Semaphore;
}

function room(total: number, perOwner: number, maxWaiting = 128): Semaphore {
  return new Semaphore({ total, perOwner, maxWaiting });
}

/**
 * Limits the memory of bodies in flight, for the process and for each owner [platform-77] [D56]. No owner can fill a room: in the
 * default budget, the largest body of another one still fits. Requests without a credential have separate rooms, so that
 * nothing that strangers send takes room from those who have one [D294].
 */
export class BodyRooms {
  readonly known: Rooms;
  readonly strangers: Rooms;

  /** `budget` in bytes. */
  constructor(budget: number) {
    const part = Math.floor((budget * 2) / 64);
    const parsed = Math.max(Math.floor((budget * 11) / 64), largestParsedBytes + 2 * mebibyte);
    const fixed = smallParsedBytes + strangersBytes + waitingBytes + threadBytes;
    const large = Math.max(budget - 2 * part - parsed - fixed, leastLargeBytes);
    this.known = {
      small: room(part, Math.floor(part / 3), mostWaiting.small),
      growing: room(part, Math.max(Math.floor(part / 2), growingBytes), mostWaiting.growing),
      large: room(large, Math.max(large - largestBytes, largestBytes), mostWaiting.large),
      smallParsed: room(smallParsedBytes, Math.floor(smallParsedBytes / 3)),
      parsed: room(parsed, Math.max(Math.floor(parsed / 3), largestParsedBytes)),
      receiving: room(receivingTotal, receivingPerOwner),
    };
    // Only a sign-in has a body and no credential. Its length is believed once it has arrived.
    this.strangers = {
      small: room(4 * mebibyte, 8 * smallBytes),
      growing: room(growingBytes, mebibyte),
      large: room(growingBytes, growingBytes),
      smallParsed: room(2 * mebibyte, 2 * mebibyte),
      parsed: room(largestParsedBytes, largestParsedBytes),
      receiving: room(receivingTotal / 2, 8),
    };
  }
}
