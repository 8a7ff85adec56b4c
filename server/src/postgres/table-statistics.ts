import type { DatabaseAddress, WaitLimits } from './connection-options.ts';
import { Database, type Queryable } from './database.ts';
import { statement } from './statement.ts';

export interface TableStatisticsOptions {
  readonly address: DatabaseAddress;
  /** The schemas whose tables are analysed. */
  readonly schemas: readonly string[];
  /** Called when a check fails, once until one succeeds again. */
  readonly onError: (error: unknown) => void;
  /** Milliseconds between two checks; default 10 s. */
  readonly intervalMs?: number;
}

/** An ANALYZE of the largest table reads 30,000 rows; no request waits for it. */
const limits: WaitLimits = {
  connect: 5_000,
  lock: 1_000,
  statement: 60_000,
  answer: 65_000,
  idleTransaction: 10_000,
};

/** With fewer rows, any plan is good enough. */
const fewestRows = 50;
/** A table is analysed again when it has grown by this factor. */
const growth = 5;
const tablesAtOnce = 20;

/**
 * Analyses tables in the background that were never analysed, or have grown much since. Autovacuum checks once a minute, which is
 * too late for a first large load [D76]. An ANALYZE also invalidates plans that connections cached while the table was small.
 * Concurrent runs are harmless. Skips locked tables, and tables of other roles.
 */
export class TableStatistics {
  readonly #database: Database;
  readonly #options: TableStatisticsOptions;
  readonly #timer: NodeJS.Timeout;
  #looking: Promise<void> | null = null;
  #isFailing = false;
  #isClosed = false;

  constructor(options: TableStatisticsOptions) {
    this.#options = options;
    this.#database = new Database({
      address: options.address,
      applicationName: 'brandport-statistics',
      limits,
      poolSize: 1,
      readPoolSize: 1,
    });
    this.#timer = setInterval(() => void this.look(), options.intervalMs ?? 10_000);
    this.#timer.unref();
  }

  /** Checks once, or waits for the check in progress. Never throws. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  async #look(): Promise<void> {
    try {
      for (const table of await listOutgrownTables(this.#database, this.#options.schemas)) {
        if (this.#isClosed) return;
        await this.#database.run(statement('', `analyze (skip_locked) ${table}`, [], { long: true }));
      }
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing && !this.#isClosed) this.#options.onError(error);
      this.#isFailing = true;
    }
  }

  async close(limitMs?: number): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#database.close(limitMs);
  }
}

/** Lists the quoted names of tables whose statistics are missing or date from a much smaller table. */
async function listOutgrownTables(database: Database, schemas: readonly string[]): Promise<string[]> {
  const rows = await database.run(
    statement<{ name: string }>(
      'list_outgrown_tables',
      // reltuples is the count of the last ANALYZE or VACUUM, -1 before the first one. A row that is updated often counts once.
      `select format('%I.%I', s.schemaname, s.relname) as name
       from pg_stat_user_tables s
       join pg_class c on c.oid = s.relid
       where s.schemaname = any($1::text[]) and c.relkind = 'r' and pg_has_role(c.relowner, 'USAGE')
         and s.n_live_tup >= ${fewestRows}
         and (
           (s.last_analyze is null and s.last_autoanalyze is null)
           or s.n_live_tup >= ${growth} * greatest(c.reltuples, 0)
         )
       order by s.n_live_tup
       limit ${tablesAtOnce}`,
      [schemas],
      { long: true },
    ),
  );
  return rows.map(({ name }) => name);
}

/** Returns the bytes on disk of the database: PostgreSQL adds up the sizes of its files, without reading any. */
export async function readDatabaseSize(database: Queryable): Promise<number> {
  const rows = await database.run(
    statement<{ bytes: number }>(
      'read_database_size',
      'select pg_database_size(current_database())::float8 as bytes',
      [],
      { long: true },
    ),
  );
  return rows[0]?.bytes ?? 0;
}
