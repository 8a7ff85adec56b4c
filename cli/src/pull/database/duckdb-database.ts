import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { DatasetTable } from '../../columns/dataset-table.ts';
import { CliError } from '../../errors/cli-error.ts';
import { WarehouseRefused } from '../warehouse-state.ts';
import type { WarehouseDatabase } from './warehouse-database.ts';

const types = {
  date: 'date',
  integer: 'bigint',
  number: 'double',
  boolean: 'boolean',
  text: 'varchar',
  json: 'json',
} as const satisfies WarehouseDatabase['types'];

/** The part of `@duckdb/node-api` that is used. Users install the package on demand: it is a native binary of 70 MB. */
export interface Duckdb {
  readonly DuckDBInstance: { create(path: string): Promise<DuckdbInstance> };
}

export interface DuckdbInstance {
  connect(): Promise<DuckdbConnection>;
  closeSync(): void;
}

export interface DuckdbConnection {
  run(sql: string): Promise<unknown>;
  runAndReadAll(sql: string, values?: string[]): Promise<{ getRows(): unknown[][] }>;
  closeSync(): void;
}

/** A DuckDB file, which DuckDB itself locks. */
export class DuckdbDatabase implements WarehouseDatabase {
  readonly name: string;
  readonly temporary: string;
  readonly schema = 'main';
  readonly types: WarehouseDatabase['types'] = types;
  readonly dayText = `strftime(date, '%Y-%m-%d')`;
  readonly hasIndexes = false;
  readonly #instance: DuckdbInstance;
  readonly #connection: DuckdbConnection;

  private constructor(path: string, instance: DuckdbInstance, connection: DuckdbConnection) {
    this.name = path;
    this.temporary = `${path}.pull`;
    this.#instance = instance;
    this.#connection = connection;
  }

  /** Opens a database file, or creates it. @throws WarehouseRefused if it is in use */
  static async open(path: string): Promise<DuckdbDatabase> {
    const { DuckDBInstance } = await loadDuckdb();
    await mkdir(dirname(resolve(path)), { recursive: true });
    const instance = await DuckDBInstance.create(path).catch((error: Error) => {
      throw new WarehouseRefused(`${path} cannot be opened: ${error.message}`);
    });
    return new DuckdbDatabase(path, instance, await instance.connect());
  }

  async rows(sql: string, values: readonly string[] = []): Promise<unknown[][]> {
    return (await this.#connection.runAndReadAll(sql, [...values])).getRows();
  }

  /** The types are given: what a day lacks would otherwise be guessed from its rows. */
  async insert({ name, columns }: DatasetTable, path: string): Promise<void> {
    const typed = columns.map((each) => `${each.name}: ${literal(types[each.type])}`).join(', ');
    const names = columns.map((each) => each.name).join(', ');
    await this.rows(
      `insert into ${name} (${names}) select ${names} from read_json(${literal(path)}, format = 'newline_delimited', columns = {${typed}})`,
    );
  }

  async close(): Promise<void> {
    await this.#connection.run('checkpoint').catch(() => {});
    this.#connection.closeSync();
    this.#instance.closeSync();
  }
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** @throws CliError if the package is not installed */
async function loadDuckdb(): Promise<Duckdb> {
  const name = '@duckdb/node-api';
  try {
    return await import(name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new CliError(
      'DuckDB is not installed. Run "npm install @duckdb/node-api" next to @brandport/cli, or pull to Parquet files, which DuckDB reads.',
    );
  }
}
