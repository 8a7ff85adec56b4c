/**
 * There was no turn: too many wait already, or the wait took too long. Nothing was done, and the same request may succeed
 * later.
 */
export class TurnError extends Error {}
