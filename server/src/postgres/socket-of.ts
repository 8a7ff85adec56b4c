import type { Socket } from 'node:net';
import type pg from 'pg';

/** Returns a connection's socket, which the types of `pg` hide. While it is corked, writes are sent together. */
export function socketOf(client: pg.Client | pg.PoolClient): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}
