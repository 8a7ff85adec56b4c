import type { InternalCaller } from '../../api/access.ts';
import { randomHex } from '../../lib/ids.ts';
import { sha256 } from '../../lib/sha256.ts';

const minuteMs = 60_000;
/** A session ends this long after it began, also if it is in use. */
export const sessionLifeMs = 12 * 60 * minuteMs;
/** A session ends this long after its last request. */
export const sessionIdleMs = 60 * minuteMs;

/** A session of a browser. Its secret is in the cookie and nowhere else. */
export interface Session extends Omit<InternalCaller, 'session'> {
  readonly id: number;
  /** The client's address when it signed in; null if it was unknown. */
  readonly address: string | null;
  readonly createdAt: Date;
  /** Accurate to the interval at which uses are recorded. */
  readonly lastSeenAt: Date;
  /** The absolute end. */
  readonly expiresAt: Date;
}

/** Generates the value of a cookie: 256 random bits. */
export function newSessionToken(): string {
  return randomHex(64);
}

/** Returns the stored form of a cookie's value. */
export function sessionDigest(token: string): Buffer {
  return sha256(token);
}

/** Returns whether the session has not ended [internal-121] at `now`, in milliseconds since the Unix epoch. */
export function isLive({ expiresAt, lastSeenAt }: Session, now: number): boolean {
  return now < expiresAt.getTime() && now < lastSeenAt.getTime() + sessionIdleMs;
}
