import type { EventEmitter } from 'node:events';
import pg, { type ClientConfig } from 'pg';

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

/**
 * Opens a connection, which the caller closes. If it is lost, the next statement fails.
 * @throws what `pg` throws when the server cannot be reached or refuses the login
 */
export async function openConnection(config: ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(config);
  watchForLoss(client);
  try {
    await client.connect();
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
  return client;
}
