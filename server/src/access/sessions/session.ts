import type { InternalCaller } from '../../api/access.ts';

const minuteMs = 60_000;
/** A session ends this long after it began, also if it is in use. */
export const sessionLifeMs = 12 * 60 * minuteMs;
/** A session ends this long after its last request. */
export const sessionIdleMs = 60 * minuteMs;

/** A session of a browser. Its secret, 256 random bits, is in the cookie; its SHA-256 is stored. */
export interface Session extends Omit<InternalCaller, 'session'> {
  readonly id: number;
  /** The client's address when it signed in; null if it was unknown. */
  readonly address: string | null;
  readonly createdAt: Date;
  /** Accurate to the interval at which uses are recorded. */
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
}

/** Returns whether the session has not ended [internal-121] at `now`, in milliseconds since the Unix epoch. */
export function isLive({ expiresAt, lastSeenAt }: Session, now: number): boolean {
  return now < expiresAt.getTime() && now < lastSeenAt.getTime() + sessionIdleMs;
}
