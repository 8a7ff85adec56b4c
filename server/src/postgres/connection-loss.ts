import type { EventEmitter } from 'node:events';
import pg, { type ClientConfig } from 'pg';

const losses = new WeakMap<EventEmitter, Error>();

/**
 * Listens to the errors of a connection for as long as it exists. An error event without a listener ends the
 * process, and `pg-pool` listens to idle connections only: between its last listener and the first one of the
 * code that takes the connection lies a turn of the microtask queue, in which the end of a connection can
 * arrive.
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
 * Opens one connection that belongs to the caller, who ends it. Its loss shows as the failure of the next statement.
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
