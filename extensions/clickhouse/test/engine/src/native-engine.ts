import { createRequire } from 'node:module';

/** An open connection of the engine. */
export type NativeConnection = { readonly connection: unique symbol };

/** A result that is being read. */
export type NativeStream = { readonly stream: unique symbol };

export type NativeChunk =
  | { readonly done: true }
  | { readonly done?: false; readonly bytes: Uint8Array; readonly numRows: number };

/**
 * The functions of chDB's addon that the server uses. The promises are settled by a thread of libuv's pool; a connection
 * must not be closed while one of them is pending.
 */
export interface NativeEngine {
  CreateConnection(directory: string, args: readonly string[]): NativeConnection;
  CloseConnection(connection: NativeConnection): void;
  QueryAsyncConnection(
    connection: NativeConnection,
    sql: string,
    format: string,
  ): Promise<{ readonly bytes: Uint8Array }>;
  /** Runs the statement with the bytes as its data. They must not change until the promise is settled. */
  InsertRawAsyncConnection(
    connection: NativeConnection,
    statement: string,
    data: Buffer,
    countsLines: boolean,
  ): Promise<unknown>;
  StreamQuery(connection: NativeConnection, sql: string, format: string): NativeStream;
  StreamFetch(stream: NativeStream): Promise<NativeChunk>;
  StreamCancel(stream: NativeStream): void;
}

/** The engine as a shared library with its addon, for Linux on x64 with glibc. It has no scripts that download anything. */
const packageName = '@chdb/lib-linux-x64-gnu';

/**
 * Loads the engine. The package `chdb` is not used: its functions for inserts accept less than the HTTP interface.
 * @throws Error if it is not installed
 */
export function loadNativeEngine(): NativeEngine {
  return createRequire(import.meta.url)(packageName) as NativeEngine;
}
