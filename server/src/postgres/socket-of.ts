import type { Socket } from 'node:net';
import type pg from 'pg';

/**
 * Returns the socket of a connection, which the types of `pg` do not expose. While it is corked, writes are collected and sent
 * together.
 */
export function socketOf(client: pg.Client | pg.PoolClient): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}
