import { Readable } from 'node:stream';
import { setInterval } from 'node:timers/promises';
import {
  type ClickHouseClient,
  ClickHouseError,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient as createClickHouseClient,
  EXCEPTION_TAG_HEADER_NAME,
  parseError,
} from '@clickhouse/client';
import { StoreTrouble } from '../../../../server/src/analytics/store/store-databases.ts';
import { isConnectionFailure } from '../../../../server/src/postgres/database-errors.ts';
import { statement } from '../../../../server/src/postgres/statement.ts';
import type { Transaction } from '../../../../server/src/postgres/transaction.ts';

const named = 'ClickHouse (BRANDPORT_CLICKHOUSE_URL)';

/**
 * ClickHouse's error codes that mean "unavailable": too slow or cancelled (159, 160, 394), too many queries (202), the network
 * (209, 210), out of memory or space (241, 243), read-only replicas (242, 164), too many parts (252), replicas and quorum (285,
 * 286, 289, 319), Keeper (225, 999). The last ones mean "not prepared yet": no such table or database, or a user who may not.
 */
const awayCodes: ReadonlySet<string> = new Set(
  [
    159, 160, 394, 202, 209, 210, 241, 243, 242, 164, 252, 285, 286, 289, 319, 225, 999, 60, 81, 192, 193,
    194, 516,
  ].map(String),
);

/** The messages of the client and of Node's HTTP, which have no code of ClickHouse. */
const awayMessage = /^Timeout error|socket hang up|aborted|other side closed/i;

/** Returns the number of ClickHouse's error as a string; null for others. */
const clickHouseCode = (error: unknown): string | null =>
  error instanceof ClickHouseError ? error.code : null;

/** Returns the trouble that an error of the client means; other errors, such as those of sockets, unchanged. */
function troubleFrom(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StoreTrouble || isConnectionFailure(error)) return error;
  const code = clickHouseCode(error);
  if (code !== null)
    return new StoreTrouble(`${named} refused a statement: ${error.message}`, awayCodes.has(code), error);
  if (awayMessage.test(error.message))
    return new StoreTrouble(`${named} did not answer: ${error.message}`, true, error);
  return error;
}

/**
 * Returns the text of a response of status 200. Its end may be an error instead of rows, in a block that is known by a tag of the
 * response's headers: the client does not look for it.
 * @throws that error
 */
function wholeText(text: string, tag: unknown): string {
  if (!text.endsWith(` ${tag}\r\n__exception__\r\n`)) return text;
  throw parseError(text.slice(text.lastIndexOf(`\r\n__exception__\r\n${tag}\r\n`)));
}

/** Returns whether ClickHouse or its client gave up on a statement after its time limit. */
export function isClickHouseTimeout(error: unknown): boolean {
  const { cause } = error as { cause?: unknown };
  return clickHouseCode(cause) === '159' || (cause instanceof Error && /^Timeout error/.test(cause.message));
}

interface Beats {
  /** Aborted with the reason of the first beat that failed. */
  readonly lost: AbortSignal;
  stop(): Promise<void>;
}

/** Calls `beat` again and again until it fails or the beats are stopped. */
function startBeats(everyMs: number, beat: () => Promise<void>): Beats {
  const done = new AbortController();
  const lost = new AbortController();
  const beating = (async () => {
    try {
      for await (const _ of setInterval(everyMs, undefined, { signal: done.signal, ref: false }))
        await beat();
    } catch (error) {
      if (!done.signal.aborted) lost.abort(error);
    }
  })();
  return {
    lost: lost.signal,
    stop: () => {
      done.abort();
      return beating;
    },
  };
}

/** Runs work that ends with the beats. @throws the reason of the lost beats, or the error of the work */
async function untilLost<T>({ lost }: Beats, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  try {
    return await work(lost);
  } catch (error) {
    throw lost.aborted ? lost.reason : error;
  }
}

const beatMs = 10_000;

/**
 * Runs work in ClickHouse for a transaction that holds a lock and would otherwise be idle: PostgreSQL ends idle transactions, and
 * nothing else would notice that the lock is lost. The work is aborted then.
 * @throws the reason of the lost transaction
 */
export async function withHeartbeat<T>(
  tx: Transaction,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const beats = startBeats(beatMs, async () => {
    await tx.run(statement<never>('heartbeat', 'select 1', []));
  });
  return untilLost(beats, work).finally(() => beats.stop());
}

const pingMs = 5_000;
/** Consecutive pings without an answer after which the server counts as frozen: a busy one may miss one. */
const missedPings = 2;

/** ClickHouse keeps its connections open and answers nothing. */
class ClickHouseFrozen extends StoreTrouble {
  constructor() {
    super(`ClickHouse has not answered for ${(pingMs * (missedPings + 1)) / 1_000} seconds`, true);
  }
}

/**
 * Runs a statement that may take hours, and aborts it when the server no longer answers: only pings distinguish a long statement
 * from a frozen server. `ping` resolves to false after `pingMs` at most.
 * @throws ClickHouseFrozen
 */
async function whileAnswering<T>(
  ping: (limitMs: number) => Promise<boolean>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  let missed = 0;
  const pings = startBeats(pingMs, async () => {
    missed = (await ping(pingMs)) ? 0 : missed + 1;
    if (missed === missedPings) throw new ClickHouseFrozen();
  });
  // The last ping is not waited for: a frozen server does not answer it either.
  return untilLost(pings, work).finally(() => void pings.stop());
}

/** Limits of one kind of work. Times are in milliseconds. */
interface ClickHouseLimits {
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
 * Access to one ClickHouse database over HTTP. Texts are built from numbers and constants only; what clients
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
      return wholeText(await result.text(), result.response_headers[EXCEPTION_TAG_HEADER_NAME]).trimEnd();
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
