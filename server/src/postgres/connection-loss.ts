import type { EventEmitter } from 'node:events';

const losses = new WeakMap<EventEmitter, Error>();

/**
 * Listens to the errors of a connection for its whole life. An error event without a listener ends the process, and
 * `pg-pool` only listens to idle connections: when it hands one out, a turn of the microtask queue passes before the
 * borrower listens, and the connection can end in that time.
 */
export function watchForLoss(client: EventEmitter): void {
  client.on('error', (error: Error) => {
    if (!losses.has(client)) losses.set(client, error);
  });
}

/** The error that ended a watched connection; undefined while it works. */
export function lossOf(client: EventEmitter): Error | undefined {
  return losses.get(client);
}
