import { createHash } from 'node:crypto';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { Client, type DatabaseError } from 'pg';
import type { ColumnType, DatasetTable } from '../../columns/dataset-table.ts';
import { CliError, exitCodes, UsageError } from '../../errors/cli-error.ts';
import { flatRowBatches } from '../files/flat-row-batches.ts';
import { WarehouseRefused } from '../warehouse-state.ts';

/** The types of the columns. */
export const postgresTypes = {
  date: 'date',
  integer: 'bigint',
  number: 'double precision',
  boolean: 'boolean',
  text: 'text',
  json: 'jsonb',
} as const satisfies Record<ColumnType, string>;

const batchRows = 5_000;

/** A lock that a killed run left is released when PostgreSQL notices, which can take the end of a statement. */
const lockWaitMs = 2_000;

/** PostgreSQL refused a statement, or is unavailable. What was pulled before stays. */
class DatabaseFailure extends CliError {
  /** True if the same command can do the rest later. */
  readonly retryable: boolean;

  constructor(name: string, error: Error) {
    const { severity, code = '', message } = error as DatabaseError;
    const retryable = severity === undefined || /^(08|40|53|57)/.test(code);
    super(`${name}: ${message || code}`, retryable ? exitCodes.partial : exitCodes.failed);
    this.retryable = retryable;
  }
}

/** A PostgreSQL with a schema of each brand, which a run holds by an advisory lock [D277]. */
export class PostgresDatabase {
  /** The address, for messages: without the user and the password. */
  readonly name: string;
  /** The folder for temporary files of a run. */
  readonly temporary: string;
  readonly schema: string;
  readonly #client: Client;

  private constructor(url: URL, schema: string, client: Client) {
    this.name = `schema ${schema} of ${url.protocol}//${url.host}${url.pathname}`;
    this.schema = schema;
    const owner = [userInfo().username, url.host, url.pathname, schema].join('\n');
    const print = createHash('sha256').update(owner).digest('hex').slice(0, 16);
    this.temporary = join(tmpdir(), `brandport-pull-${print}`);
    this.#client = client;
  }

  /** Connects, and takes the lock of the brand's schema. @throws UsageError, WarehouseRefused, DatabaseFailure */
  static async open(address: string, brandId: number): Promise<PostgresDatabase> {
    if (!URL.canParse(address))
      throw new UsageError('--out is not an address such as postgresql://user@host/database.');
    const client = new Client({
      connectionString: address,
      application_name: 'brandport pull',
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
    });
    // The next statement reports a lost connection.
    client.on('error', () => {});
    const database = new PostgresDatabase(new URL(address), `brandport_${brandId}`, client);
    await client.connect().catch((error) => database.#fail(error));
    try {
      await database.#lock();
      return database;
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  async #lock(): Promise<void> {
    const key = `brandport pull ${this.schema}`;
    // The setting must not outlive this run in a pooler; the lock is the session's.
    await this.rows('begin');
    await this.rows(`set local lock_timeout = ${lockWaitMs}`);
    try {
      await this.#client.query('select pg_advisory_lock(hashtextextended($1, 0))', [key]);
    } catch (error) {
      if ((error as DatabaseError).code !== '55P03') this.#fail(error as Error);
      throw new WarehouseRefused(
        `${this.name} is held by another "brandport pull". Run the command again when it has ended.`,
      );
    }
    await this.rows('commit');
  }

  /** Runs a statement. @throws DatabaseFailure */
  async rows(sql: string, values: readonly string[] = []): Promise<unknown[][]> {
    const query = { text: sql, values: [...values], rowMode: 'array' as const };
    const { rows } = await this.#client.query<unknown[]>(query).catch((error) => this.#fail(error));
    return rows;
  }

  /** Inserts the rows of a file, a JSON object each line. */
  async insert({ name, columns }: DatasetTable, path: string): Promise<void> {
    const names = columns.map((each) => each.name).join(', ');
    const typed = columns.map((each) => `${each.name} ${postgresTypes[each.type]}`).join(', ');
    const sql = `insert into ${this.schema}.${name} (${names}) select ${names} from json_to_recordset($1) as day (${typed})`;
    for await (const batch of flatRowBatches(path, batchRows)) await this.rows(sql, [JSON.stringify(batch)]);
  }

  /** Ends the connection, and with it the lock. */
  async close(): Promise<void> {
    await this.#client.end().catch(() => {});
  }

  #fail(error: Error): never {
    throw new DatabaseFailure(this.name, error);
  }
}
