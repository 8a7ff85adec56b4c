import { Readable } from 'node:stream';
import {
  type ClickHouseClient,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient as createClickHouseClient,
} from '@clickhouse/client';
import { whileAnswering } from './beats.ts';
import { troubleFrom } from './clickhouse-trouble.ts';

/** Limits of one kind of work. Times are in milliseconds. */
export interface ClickHouseLimits {
  /** For the whole exchange. If it is longer than a minute, statements are aborted when the server stops answering. */
  readonly answerMs: number;
  readonly connections: number;
}

export interface RunOptions {
  /** Shortens the limit of the connection. */
  readonly limitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A batch may have events of any number of months, each of which is a partition. Deletions wait until they are done. */
const settings: ClickHouseSettings = {
  max_partitions_per_insert_block: '0',
  lightweight_deletes_sync: '2',
  mutations_sync: '2',
  // Lists of batches, learners and generations are part of a statement.
  max_query_size: String(256 * 1024 * 1024),
  cancel_http_readonly_queries_on_client_close: 1,
  output_format_decimal_trailing_zeros: 0,
  // `sum(views) as views` does not change what `views` is in the rest of a select.
  prefer_column_name_to_alias: 1,
  // Compiling the many sums of an aggregation takes longer than most of them run.
  compile_expressions: 0,
  compile_aggregate_expressions: 0,
  compile_sort_description: 0,
};

/** Longer statements are watched by pings. */
const longestUnwatchedMs = 60_000;
const pingLimits: ClickHouseLimits = { answerMs: 5_000, connections: 2 };

/**
 * Access to one ClickHouse database over HTTP. Texts are built from numbers and constants only (`literals.ts`); what clients
 * send reaches ClickHouse as data. Settings of a cluster are parameters of the URL.
 */
export class ClickHouse {
  readonly #client: ClickHouseClient;
  readonly #limits: ClickHouseLimits;
  /** With separate connections: those of statements may all be busy. null: statements are short. */
  readonly #pings: ClickHouseClient | null;

  constructor(url: string, limits: ClickHouseLimits) {
    this.#limits = limits;
    this.#client = open(url, limits);
    this.#pings = limits.answerMs > longestUnwatchedMs ? open(url, pingLimits) : null;
  }

  /** Runs a select and returns its rows as lines of comma-separated values. */
  async read(text: string, options: RunOptions = {}): Promise<string> {
    return this.#bounded(options, async (bounds) => {
      const result = await this.#client.query({ query: text, format: 'CSV', ...bounds });
      return (await result.text()).trimEnd();
    });
  }

  /** Runs a select of numbers and of strings that need no escaping. */
  async rows(text: string, options: RunOptions = {}): Promise<string[][]> {
    const lines = await this.read(text, options);
    if (lines === '') return [];
    return lines
      .replaceAll('"', '')
      .split('\n')
      .map((line) => line.split(','));
  }

  /** Runs a select of one column of integers. */
  async numbers(text: string, options: RunOptions = {}): Promise<number[]> {
    return (await this.rows(text, options)).map(([value]) => Number(value));
  }

  async count(table: string, condition: string, options: RunOptions = {}): Promise<number> {
    const [rows = 0] = await this.numbers(`select count() as rows from ${table} where ${condition}`, options);
    return rows;
  }

  async run(text: string, options: RunOptions = {}): Promise<void> {
    await this.#bounded(options, (bounds) => this.#client.command({ query: text, ...bounds }));
  }

  /** Inserts lines of tab-separated values. Durable on this server when it resolves. */
  async insert(table: string, columns: readonly string[], lines: string): Promise<void> {
    await this.insertStream(table, columns, Readable.from([Buffer.from(lines)], { objectMode: false }));
  }

  /** Inserts a stream of tab-separated values, block by block: a failure leaves some of it. */
  async insertStream(table: string, columns: readonly string[], lines: Readable): Promise<void> {
    await this.#bounded({}, (bounds) =>
      this.#client.insert({
        table,
        columns: columns as [string, ...string[]],
        values: lines,
        format: 'TabSeparated',
        ...bounds,
      }),
    );
  }

  async close(): Promise<void> {
    await Promise.all([this.#client.close(), this.#pings?.close()]);
  }

  async #bounded<T>(
    { limitMs = this.#limits.answerMs, signal }: RunOptions,
    work: (bounds: { abort_signal: AbortSignal; clickhouse_settings: ClickHouseSettings }) => Promise<T>,
  ): Promise<T> {
    const ms = Math.max(1, Math.min(limitMs, this.#limits.answerMs));
    const signals = [AbortSignal.timeout(ms), ...(signal === undefined ? [] : [signal])];
    // ClickHouse stops too: an insert that nobody waits for must not arrive hours later.
    const clickhouse_settings = { max_execution_time: Math.ceil(ms / 1_000) };
    const bounded = (...more: AbortSignal[]) =>
      work({ abort_signal: AbortSignal.any([...signals, ...more]), clickhouse_settings });
    try {
      return await (this.#pings === null ? bounded() : whileAnswering(pingsOf(this.#pings), bounded));
    } catch (error) {
      throw troubleFrom(error);
    }
  }
}

const pingsOf = (client: ClickHouseClient) => async (limitMs: number) =>
  (await client.ping({ select: false, abort_signal: AbortSignal.timeout(limitMs) })).success;

function open(url: string, { answerMs, connections }: ClickHouseLimits): ClickHouseClient {
  return createClickHouseClient({
    url,
    application: 'brandport',
    request_timeout: answerMs,
    max_open_connections: connections,
    compression: { request: false, response: false },
    clickhouse_settings: settings,
    // Errors reach the caller, who knows which of them matter.
    log: { level: ClickHouseLogLevel.OFF },
  });
}
