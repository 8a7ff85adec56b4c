import type { Socket } from 'node:net';
import type pg from 'pg';

/**
 * The socket of a connection, to cork it: what is written then leaves in one go. `pg` does the same for the messages of one
 * statement; its types leave the connection out.
 */
export function socketOf(client: pg.Client | pg.PoolClient): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}
