import { interfaceException, toEngineException } from './exception.ts';
import type { NativeConnection, NativeEngine, NativeStream } from './native-engine.ts';
import type { QueryRequest } from './query-request.ts';
import { formatOf, isStreamable, verbOf } from './statement.ts';
import { Turns } from './turns.ts';

/** Totals of a query, as in the header X-ClickHouse-Summary. */
export interface QueryProgress {
  readonly readRows: number;
  readonly readBytes: number;
  readonly writtenRows: number;
  readonly writtenBytes: number;
}

export interface QueryResult {
  readonly format: string;
  /** The bytes of the result, part by part. A part is fetched when it is asked for. */
  readonly parts: AsyncIterable<Uint8Array>;
  /** All 0 for a streamed result, whose totals are not known before the first part. */
  readonly progress: QueryProgress;
}

const nothing: QueryProgress = { readRows: 0, readBytes: 0, writtenRows: 0, writtenBytes: 0 };

/** Queries that run at once; more wait. Each blocks a thread of libuv's pool, which has to be larger. */
const parallelQueries = 8;
/** Queries that run or wait; more are refused, as by `max_concurrent_queries` of a server. */
const concurrentQueries = 100;

/**
 * chDB on one data directory. Each query has its own connection, which takes 2 ms: settings, parameters and the current
 * database end with it, and queries run in parallel.
 */
export class Engine {
  readonly #native: NativeEngine;
  readonly #directory: string;
  /** Keeps the engine and its merges in the background running between queries. */
  readonly #base: NativeConnection;
  readonly #turns = new Turns(parallelQueries, concurrentQueries);

  /** @throws Error if another process uses the directory */
  constructor(native: NativeEngine, directory: string) {
    this.#native = native;
    this.#directory = directory;
    this.#base = native.CreateConnection(directory, []);
  }

  async readVersion(): Promise<string> {
    const { bytes } = await this.#native.QueryAsyncConnection(this.#base, 'select version()', 'TSVRaw');
    return Buffer.from(bytes).toString('utf8').trim();
  }

  /**
   * Runs a query. `use` reads the parts; the connection is closed after it returns.
   * @throws EngineException with the engine's code and text
   */
  async run(request: QueryRequest, use: (result: QueryResult) => Promise<void>): Promise<void> {
    const release = await this.#turns.take();
    let connection: NativeConnection | null = null;
    try {
      connection = this.#native.CreateConnection(this.#directory, []);
      await this.#prepare(connection, request);
      await this.#execute(connection, request, use);
    } catch (error) {
      throw toEngineException(error);
    } finally {
      if (connection !== null) this.#native.CloseConnection(connection);
      release();
    }
  }

  async #prepare(connection: NativeConnection, request: QueryRequest): Promise<void> {
    if (request.sql.trim() === '') throw interfaceException(62, 'SYNTAX_ERROR', 'Syntax error: Empty query');
    if (request.data === null) {
      const { statementCount } = await this.#native.DurableClassifyAsync(connection, request.sql);
      if (statementCount > 1) {
        throw interfaceException(62, 'SYNTAX_ERROR', 'Syntax error (Multi-statements are not allowed)');
      }
    }
    // Settings of a server's default profile that chDB changes.
    const assignments = ['implicit_select = 0', 'allow_introspection_functions = 0'];
    for (const [name, value] of request.settings) {
      if (!/^\w+$/.test(name)) throw interfaceException(115, 'UNKNOWN_SETTING', `Unknown setting '${name}'`);
      assignments.push(`${name} = ${quoted(value)}`);
    }
    if (request.database !== null) {
      await this.#native.QueryAsyncConnection(
        connection,
        `use \`${request.database.replaceAll('`', '\\`')}\``,
        'TSV',
      );
    }
    await this.#native.QueryAsyncConnection(connection, `set ${assignments.join(', ')}`, 'TSV');
  }

  async #execute(
    connection: NativeConnection,
    { sql, data, defaultFormat }: QueryRequest,
    use: (result: QueryResult) => Promise<void>,
  ): Promise<void> {
    const format = formatOf(sql) ?? defaultFormat;
    if (data !== null)
      return use({ format, parts: noParts(), progress: await this.#insert(connection, sql, data) });
    if (!isStreamable(sql, format)) {
      const isInsert = verbOf(sql) === 'INSERT';
      if (isInsert)
        return use({ format, parts: noParts(), progress: await this.#insert(connection, sql, null) });
      const { bytes, rowsRead, bytesRead } = await this.#native.QueryAsyncConnection(connection, sql, format);
      const progress = { ...nothing, readRows: rowsRead, readBytes: bytesRead };
      return use({ format, parts: onePart(bytes), progress });
    }
    const stream = this.#native.StreamQuery(connection, sql, format);
    const reading = { isEnded: false };
    try {
      await use({ format, parts: this.#partsOf(stream, reading), progress: nothing });
    } finally {
      if (!reading.isEnded) this.#native.StreamCancel(stream);
    }
  }

  async #insert(
    connection: NativeConnection,
    sql: string,
    data: AsyncIterable<Buffer> | null,
  ): Promise<QueryProgress> {
    const hasData = formatOf(sql) !== undefined;
    let [writtenRows, writtenBytes, parts] = [0, 0, 0];
    const insert = async (part: Buffer) => {
      const written = await this.#native.InsertRawAsyncConnection(connection, sql, part, false);
      writtenRows += written.rowsWritten;
      writtenBytes += written.bytesWritten;
    };
    for await (const part of data ?? []) {
      parts += 1;
      // The engine refuses a body without rows; the server inserts nothing.
      if (!hasData || !isBlank(part)) await insert(part);
    }
    if (parts === 0 && !(hasData && data !== null)) await insert(Buffer.alloc(0));
    return { ...nothing, writtenRows, writtenBytes };
  }

  async *#partsOf(stream: NativeStream, reading: { isEnded: boolean }): AsyncGenerator<Uint8Array> {
    for (;;) {
      let chunk: Awaited<ReturnType<NativeEngine['StreamFetch']>>;
      try {
        chunk = await this.#native.StreamFetch(stream);
      } catch (error) {
        reading.isEnded = true;
        throw toEngineException(error);
      }
      if (chunk.done === true) {
        reading.isEnded = true;
        return;
      }
      yield chunk.bytes;
    }
  }
}

async function* onePart(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes;
}

async function* noParts(): AsyncGenerator<Uint8Array> {}

function quoted(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function isBlank(data: Buffer): boolean {
  return data.length < 1_000 && data.toString('latin1').trim() === '';
}
