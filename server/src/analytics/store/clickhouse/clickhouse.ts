import { Readable } from 'node:stream';
import {
  type ClickHouseClient,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient as createClickHouseClient,
} from '@clickhouse/client';

/** Limits of one kind of work. Times are in milliseconds. */
export interface ClickHouseLimits {
  /** For the whole exchange. */
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
  // Lists of batches, learners and layers are part of a statement.
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

/**
 * Access to one ClickHouse database over HTTP. Texts are built from numbers and constants only (`literals.ts`); what clients
 * send reaches ClickHouse as data. Settings of a cluster are parameters of the URL.
 */
export class ClickHouse {
  readonly #client: ClickHouseClient;
  readonly #limits: ClickHouseLimits;

  constructor(url: string, limits: ClickHouseLimits) {
    this.#limits = limits;
    this.#client = createClickHouseClient({
      url,
      application: 'brandport',
      request_timeout: limits.answerMs,
      max_open_connections: limits.connections,
      compression: { request: false, response: false },
      clickhouse_settings: settings,
      // Errors reach the caller, who knows which of them matter.
      log: { level: ClickHouseLogLevel.OFF },
    });
  }

  /** Runs a select and returns its rows as lines of comma-separated values, which `unpackRows` reads. */
  async read(text: string, options: RunOptions = {}): Promise<string> {
    const result = await this.#client.query({ query: text, format: 'CSV', ...this.#bounded(options) });
    return (await result.text()).trimEnd();
  }

  /** Runs a select of one column of integers. */
  async numbers(text: string, options: RunOptions = {}): Promise<number[]> {
    const lines = await this.read(text, options);
    return lines === '' ? [] : lines.split('\n').map(Number);
  }

  /** Runs a statement without a result. */
  async run(text: string, options: RunOptions = {}): Promise<void> {
    await this.#client.command({ query: text, ...this.#bounded(options) });
  }

  /** Inserts lines of tab-separated values. Durable on this server when it resolves. */
  async insert(table: string, columns: readonly string[], lines: string): Promise<void> {
    await this.#client.insert({
      table,
      columns: columns as [string, ...string[]],
      values: Readable.from([Buffer.from(lines)], { objectMode: false }),
      format: 'TabSeparated',
      ...this.#bounded({}),
    });
  }

  /** Inserts a stream of tab-separated values, block by block: a failure leaves some of it. */
  async insertStream(table: string, columns: readonly string[], lines: Readable): Promise<void> {
    await this.#client.insert({
      table,
      columns: columns as [string, ...string[]],
      values: lines,
      format: 'TabSeparated',
      ...this.#bounded({}),
    });
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  #bounded({ limitMs = this.#limits.answerMs, signal }: RunOptions) {
    const ms = Math.max(1, Math.min(limitMs, this.#limits.answerMs));
    const limited = AbortSignal.timeout(ms);
    return {
      abort_signal: signal === undefined ? limited : AbortSignal.any([signal, limited]),
      // ClickHouse stops too: an insert that nobody waits for must not arrive hours later.
      clickhouse_settings: { max_execution_time: Math.ceil(ms / 1_000) },
    };
  }
}
