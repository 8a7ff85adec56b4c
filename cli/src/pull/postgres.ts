import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { Client, type DatabaseError } from 'pg';
import { type ColumnType, type DatasetTable, datasetNames } from '../columns/datasets.ts';
import { CliError, exitCodes, UsageError } from '../errors.ts';
import { flatRowBatches } from './day-files.ts';
import { createTemporaryFolder } from './directory.ts';
import type { Day } from './plan.ts';
import type { ReadDay } from './read.ts';
import {
  type NextState,
  type OpenOptions,
  type StoredDay,
  stateOf,
  stateText,
  type WarehouseIdentity,
  type WarehouseProblem,
  WarehouseRefused,
  type WarehouseState,
  type WarehouseTarget,
} from './state.ts';

/** The types of the columns. */
const postgresTypes = {
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

/** The error of `pg` if PostgreSQL asks for a password and none is set. */
const noPassword = /client password must be/;
const passwordAdvice = 'it asks for a password: set PGPASSWORD, or add a line to ~/.pgpass';

/** PostgreSQL refused a statement, or is unavailable. What was pulled before stays. */
class DatabaseFailure extends CliError {
  /** True if the same command can do the rest later. */
  readonly retryable: boolean;

  constructor(name: string, error: Error) {
    const { severity, code = '', message } = error as DatabaseError;
    const hasNoPassword = noPassword.test(message);
    const retryable = !hasNoPassword && (severity === undefined || /^(08|40|53|57)/.test(code));
    super(
      `${name}: ${hasNoPassword ? passwordAdvice : message || code}`,
      retryable ? exitCodes.partial : exitCodes.failed,
    );
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
    const sql = `insert into ${this.schema}.${name} (${namesOf(columns)}) ${selectGiven(columns)}`;
    for await (const batch of flatRowBatches(path, batchRows)) await this.rows(sql, [JSON.stringify(batch)]);
  }

  /** Returns whether a day has exactly the rows of its file, compared in these columns. Scans the day once per batch. */
  async has({ name, columns }: DatasetTable, { date, rows, path }: ReadDay): Promise<boolean> {
    const ofDay = `from ${this.schema}.${name} where date =`;
    const [count] = await this.rows(`select count(*)::integer ${ofDay} $1::date`, [date]);
    if (count?.[0] !== rows) return false;
    const sql = `${selectGiven(columns)} except all select ${namesOf(columns)} ${ofDay} $2::date limit 1`;
    for await (const batch of flatRowBatches(path, batchRows))
      if ((await this.rows(sql, [JSON.stringify(batch), date])).length > 0) return false;
    return true;
  }

  /** Ends the connection, and with it the lock. */
  async close(): Promise<void> {
    await this.#client.end().catch(() => {});
  }

  #fail(error: Error): never {
    throw new DatabaseFailure(this.name, error);
  }
}

/**
 * A schema of PostgreSQL with a table of each dataset, and the state in the table `_brandport_state`. Days are replaced in
 * one transaction together with the state.
 */
export class PostgresTarget implements WarehouseTarget {
  readonly #database: PostgresDatabase;
  #state: WarehouseState;
  /** The stored text of the state. */
  #text: string;
  /** The columns of each table, as `inspect` has found them for `hasRows`. */
  #columns: ReadonlyMap<string, ReadonlySet<string>> = new Map();

  private constructor(database: PostgresDatabase, state: WarehouseState, text: string) {
    this.#database = database;
    this.#state = state;
    this.#text = text;
  }

  /**
   * Takes over an open database, whose tables it creates.
   * @throws WarehouseRefused if it was filled by something else
   */
  static async open(
    database: PostgresDatabase,
    identity: WarehouseIdentity,
    { isFilled = false }: OpenOptions,
  ): Promise<PostgresTarget> {
    try {
      const text = await findStateText(database);
      if (text === null && isFilled)
        throw new WarehouseRefused(`${database.name} was not filled by "brandport pull".`);
      const state = stateOf({ text, at: `_brandport_state of ${database.name}` }, identity, database.name);
      const target = new PostgresTarget(database, state, text ?? stateText(state));
      await createTemporaryFolder(database.temporary);
      if (text === null) await createState(database, stateText(state));
      return target;
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  get temporary(): string {
    return this.#database.temporary;
  }

  get state(): WarehouseState {
    return this.#state;
  }

  async replaceDays(table: DatasetTable, days: readonly ReadDay[], next: NextState): Promise<void> {
    const stored = Object.fromEntries(
      days.map(({ date, revision, rows, digest }): [Day, StoredDay] => [date, { revision, rows, digest }]),
    );
    const { schema } = this.#database;
    await this.#store(next(stored), async () => {
      await this.#prepare(table);
      const dates = days.map(({ date }) => `date '${date}'`).join(', ');
      await this.#database.rows(`delete from ${schema}.${table.name} where date in (${dates})`);
      for (const { path } of days) if (path !== null) await this.#database.insert(table, path);
    });
  }

  saveState(state: WarehouseState): Promise<void> {
    return this.#store(state, async () => {});
  }

  /** A transaction that was not committed leaves nothing. */
  async removeLeftovers(): Promise<void> {}

  async *inspect(tables: readonly DatasetTable[]): AsyncGenerator<WarehouseProblem, void, undefined> {
    this.#columns = await columnsOf(this.#database);
    for (const { name } of tables.filter((table) => this.#columns.has(table.name))) {
      const days = `select to_char(date, 'YYYY-MM-DD') from ${this.#database.schema}.${name} group by 1 order by 1`;
      for (const [date] of await this.#database.rows(days))
        if (this.#state.datasets[name]?.days[String(date)] === undefined)
          yield { kind: 'stray', what: `${name} ${date}` };
    }
  }

  async hasRows(table: DatasetTable, day: ReadDay): Promise<boolean> {
    const stored = this.#columns.get(table.name);
    if (stored === undefined) return day.rows === 0;
    if (table.columns.some(({ name }) => !stored.has(name))) return false;
    const columns = table.columns.filter(({ isLabel }) => !isLabel);
    return this.#database.has({ ...table, columns }, day);
  }

  /** Creates the table, or adds the columns that it lacks. */
  async #prepare({ name, columns }: DatasetTable): Promise<void> {
    const { schema } = this.#database;
    const stored = (await columnsOf(this.#database)).get(name);
    if (stored !== undefined) {
      for (const each of columns)
        if (!stored.has(each.name))
          await this.#database.rows(
            `alter table ${schema}.${name} add column ${each.name} ${postgresTypes[each.type]}`,
          );
      return;
    }
    const list = columns.map(
      (each) => `${each.name} ${postgresTypes[each.type]}${each.name === 'date' ? ' not null' : ''}`,
    );
    await this.#database.rows(`create table ${schema}.${name} (${list.join(', ')})`);
    await this.#database.rows(`create index on ${schema}.${name} (date)`);
  }

  /** Stores the state in one transaction with the work, if it is still the one that this run has stored. */
  async #store(state: WarehouseState, work: () => Promise<void>): Promise<void> {
    const [text, table] = [stateText(state), `${this.#database.schema}._brandport_state`];
    await this.#database.rows('begin transaction');
    try {
      await work();
      const before = await this.#database.rows(`delete from ${table} where state = $1 returning 1`, [
        this.#text,
      ]);
      if (before.length !== 1)
        throw new WarehouseRefused(`${this.#database.name} was changed by another process during this run.`);
      await this.#database.rows(`insert into ${table} (state) values ($1)`, [text]);
      await this.#database.rows('commit');
    } catch (error) {
      await this.#database.rows('rollback').catch(() => {});
      throw error;
    }
    this.#state = state;
    this.#text = text;
  }

  async close(): Promise<void> {
    await rm(this.temporary, { recursive: true, force: true });
    await this.#database.close();
  }
}

function namesOf(columns: DatasetTable['columns']): string {
  return columns.map(({ name }) => name).join(', ');
}

/** Selects the rows of a JSON array that is the first parameter. */
function selectGiven(columns: DatasetTable['columns']): string {
  const typed = columns.map(({ name, type }) => `${name} ${postgresTypes[type]}`).join(', ');
  return `select ${namesOf(columns)} from json_to_recordset($1) as day (${typed})`;
}

/** Returns the stored state; null without one. @throws WarehouseRefused for datasets without a state */
async function findStateText(database: PostgresDatabase): Promise<string | null> {
  const names = await columnsOf(database);
  if (names.has('_brandport_state')) {
    const [row] = await database.rows(`select state from ${database.schema}._brandport_state`);
    if (row !== undefined) return String(row[0]);
  }
  const found = datasetNames.find((name) => names.has(name));
  if (found !== undefined)
    throw new WarehouseRefused(
      `${database.name} has a table "${found}" of another program: use another database.`,
    );
  return null;
}

/** Stores the first state, in a table and a schema that it creates if necessary. */
async function createState(database: PostgresDatabase, text: string): Promise<void> {
  const { schema } = database;
  const found = await database.rows('select 1 from information_schema.schemata where schema_name = $1', [
    schema,
  ]);
  if (found.length === 0) await database.rows(`create schema ${schema}`);
  await database.rows(`create table if not exists ${schema}._brandport_state (state text not null)`);
  await database.rows(`insert into ${schema}._brandport_state (state) values ($1)`, [text]);
}

/** Returns the columns of each table of the warehouse. */
async function columnsOf(database: PostgresDatabase): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const rows = await database.rows(
    'select table_name, column_name from information_schema.columns where table_schema = $1',
    [database.schema],
  );
  const tables = new Map<string, Set<string>>();
  for (const [table, column] of rows)
    tables.set(String(table), (tables.get(String(table)) ?? new Set()).add(String(column)));
  return tables;
}
