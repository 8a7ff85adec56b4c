import type { Socket } from 'node:net';
import type pg from 'pg';

/**
 * Returns the socket of a connection. While it is corked, writes are collected and sent together. `pg` does so for
 * the messages of one statement; its types do not expose the connection.
 */
export function socketOf(client: pg.Client | pg.PoolClient): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}
