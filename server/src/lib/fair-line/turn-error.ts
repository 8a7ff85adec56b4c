/**
 * No turn was available: too many are waiting, or the wait timed out. Nothing was done, and the same request may
 * succeed later.
 */
export class TurnError extends Error {}
