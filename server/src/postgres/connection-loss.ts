import type { EventEmitter } from 'node:events';

const losses = new WeakMap<EventEmitter, Error>();

/**
 * Listens to the errors of a connection for its whole life: an error event without a listener ends the process, and a turn of the
 * microtask queue passes between the listeners of `pg-pool` and those of the borrower.
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
