import { readParts } from './body-parts.ts';
import type { NativeConnection, NativeEngine } from './native-engine.ts';
import type { QueryRequest } from './query-request.ts';

/** The bytes of a result, part by part. A part is fetched when it is asked for. */
export type ResultParts = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Queries that run at once; more wait. Each blocks a thread of libuv's pool, which has to be larger. */
const parallelQueries = 8;

/**
 * Formats whose parts can be concatenated. The engine formats each part of a streamed result as a whole, so a format with a
 * header or a footer would have one in each part.
 */
const streamable = new Set(['JSONEachRow', 'TabSeparated', 'CSV']);

/**
 * chDB on one data directory. Each query has its own connection, which takes 2 ms: settings and the current database end with
 * it, and queries run in parallel.
 */
export class Engine {
  readonly #native: NativeEngine;
  readonly #directory: string;
  /** Keeps the engine and its merges in the background running between queries. */
  readonly #base: NativeConnection;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /** @throws Error if another process uses the directory */
  constructor(native: NativeEngine, directory: string) {
    this.#native = native;
    this.#directory = directory;
    // Where `BACKUP … TO File('name')` may write, which a server's configuration says.
    this.#base = native.CreateConnection(directory, [`--backups.allowed_path=${directory}/backups/`]);
  }

  async readVersion(): Promise<string> {
    const { bytes } = await this.#native.QueryAsyncConnection(this.#base, 'select version()', 'TSVRaw');
    return Buffer.from(bytes).toString('utf8').trim();
  }

  /** Runs a query. `use` reads the parts; the connection is closed after it returns. */
  async run(request: QueryRequest, use: (parts: ResultParts) => Promise<void>): Promise<void> {
    if (this.#running < parallelQueries) this.#running += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    let connection: NativeConnection | null = null;
    try {
      connection = this.#native.CreateConnection(this.#directory, []);
      await this.#prepare(connection, request);
      await this.#execute(connection, request, use);
    } finally {
      if (connection !== null) this.#native.CloseConnection(connection);
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  async #prepare(connection: NativeConnection, { database, settings }: QueryRequest): Promise<void> {
    if (database !== null)
      await this.#native.QueryAsyncConnection(connection, `use \`${database}\``, 'TabSeparated');
    // Settings of a server's default profile that chDB changes.
    const assignments = ['implicit_select = 0', 'allow_introspection_functions = 0'];
    for (const [name, value] of settings) assignments.push(`${name} = ${quoted(value)}`);
    await this.#native.QueryAsyncConnection(connection, `set ${assignments.join(', ')}`, 'TabSeparated');
  }

  async #execute(
    connection: NativeConnection,
    { sql, data }: QueryRequest,
    use: (parts: ResultParts) => Promise<void>,
  ): Promise<void> {
    if (data !== null) {
      // The engine refuses a body without rows; the server inserts nothing.
      for await (const part of readParts(data))
        if (!isBlank(part)) await this.#native.InsertRawAsyncConnection(connection, sql, part, false);
      return use([]);
    }
    // At the end of the statement, where the client adds it.
    const format = /\bformat\s+(\w+)\s*;?\s*$/i.exec(sql)?.[1] ?? 'TabSeparated';
    if (!/^\s*select\b/i.test(sql) || !streamable.has(format))
      return use([(await this.#native.QueryAsyncConnection(connection, sql, format)).bytes]);
    await this.#stream(connection, sql, format, use);
  }

  async #stream(
    connection: NativeConnection,
    sql: string,
    format: string,
    use: (parts: ResultParts) => Promise<void>,
  ): Promise<void> {
    const native = this.#native;
    const stream = native.StreamQuery(connection, sql, format);
    let isEnded = false;
    async function* parts(): AsyncGenerator<Uint8Array> {
      for (;;) {
        const chunk = await native.StreamFetch(stream).catch((error: unknown) => {
          isEnded = true;
          throw error;
        });
        if (chunk.done === true) {
          isEnded = true;
          return;
        }
        yield chunk.bytes;
      }
    }
    try {
      await use(parts());
    } finally {
      if (!isEnded) native.StreamCancel(stream);
    }
  }
}

function quoted(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function isBlank(data: Buffer): boolean {
  return data.length < 1_000 && data.toString('latin1').trim() === '';
}
