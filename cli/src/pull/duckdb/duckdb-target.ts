import { mkdir, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { ColumnType } from '../../columns/column.ts';
import { type DatasetTable, datasetNames } from '../../columns/dataset-table.ts';
import type { SpilledDay } from '../day-spill.ts';
import type { Day } from '../days.ts';
import type { NextState, WarehouseProblem, WarehouseTarget } from '../target.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import {
  type StoredDay,
  stateOf,
  stateText,
  type WarehouseIdentity,
  WarehouseRefused,
  type WarehouseState,
} from '../warehouse-state.ts';
import { loadDuckdb } from './load-duckdb.ts';

const sqlTypes: Readonly<Record<ColumnType, string>> = {
  date: 'date',
  integer: 'bigint',
  number: 'double',
  boolean: 'boolean',
  text: 'varchar',
  json: 'json',
};

/**
 * A DuckDB database with a table of each dataset, and the state in the table `_brandport_state`. A day is replaced in one
 * transaction together with the state. DuckDB itself locks the file.
 */
export class DuckdbTarget implements WarehouseTarget {
  readonly temporary: string;
  readonly #path: string;
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  #state: WarehouseState;

  private constructor(
    path: string,
    [instance, connection]: readonly [DuckDBInstance, DuckDBConnection],
    state: WarehouseState,
  ) {
    this.#path = path;
    this.temporary = `${path}.pull`;
    this.#instance = instance;
    this.#connection = connection;
    this.#state = state;
  }

  /** Opens a database file, or creates it. @throws WarehouseRefused if it is in use, or filled by something else */
  static async open(path: string, identity: WarehouseIdentity): Promise<DuckdbTarget> {
    const { DuckDBInstance } = await loadDuckdb();
    await mkdir(dirname(resolve(path)), { recursive: true });
    const instance = await DuckDBInstance.create(path).catch((error: Error) => {
      throw new WarehouseRefused(`${path} cannot be opened: ${error.message}`);
    });
    const connection = await instance.connect();
    try {
      const stored = { text: await findStateText(connection, path), at: `_brandport_state of ${path}` };
      const state = stateOf(stored, identity, path);
      const target = new DuckdbTarget(path, [instance, connection], state);
      await createTemporaryFolder(target.temporary);
      return target;
    } catch (error) {
      connection.closeSync();
      instance.closeSync();
      throw error;
    }
  }

  get state(): WarehouseState {
    return this.#state;
  }

  async replaceDays(table: DatasetTable, days: readonly SpilledDay[], next: NextState): Promise<void> {
    const stored = Object.fromEntries(
      days.map(({ date, revision, rows, digest }): [Day, StoredDay] => [date, { revision, rows, digest }]),
    );
    const state = next(stored);
    await this.#transaction(async () => {
      await this.#connection.run(createTable(table));
      await this.#connection.run(
        `delete from ${table.name} where date in (${days.map(dateLiteral).join(', ')})`,
      );
      for (const { path } of days) if (path !== null) await this.#connection.run(insertFrom(table, path));
      await this.#writeState(state);
    });
    this.#state = state;
  }

  async saveState(state: WarehouseState): Promise<void> {
    await this.#transaction(() => this.#writeState(state));
    this.#state = state;
  }

  /** A transaction that was not committed leaves nothing. */
  async removeLeftovers(): Promise<void> {}

  async *inspect(tables: readonly DatasetTable[]): AsyncGenerator<WarehouseProblem, void, undefined> {
    for (const { name } of tables) {
      const known = this.#state.datasets[name]?.days ?? {};
      const counts = new Map<string, number>();
      if ((await tableNames(this.#connection)).includes(name)) {
        const reader = await this.#connection.runAndReadAll(
          `select strftime(date, '%Y-%m-%d'), count(*)::integer from ${name} group by all order by all`,
        );
        for (const [date, rows] of reader.getRows()) counts.set(String(date), Number(rows));
      }
      for (const [date, { rows }] of Object.entries(known))
        if ((counts.get(date) ?? 0) !== rows) yield { kind: 'damaged', what: `${name} ${date}` };
      for (const date of counts.keys())
        if (known[date] === undefined) yield { kind: 'stray', what: `${name} ${date}` };
    }
  }

  async #writeState(state: WarehouseState): Promise<void> {
    await this.#connection.run('delete from _brandport_state');
    await this.#connection.run('insert into _brandport_state values ($1)', [stateText(state)]);
  }

  async #transaction(work: () => Promise<void>): Promise<void> {
    await this.#connection.run('begin transaction');
    try {
      await work();
      await this.#connection.run('commit');
    } catch (error) {
      await this.#connection.run('rollback').catch(() => {});
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#connection.run('checkpoint').catch(() => {});
    this.#connection.closeSync();
    this.#instance.closeSync();
    await rm(`${this.#path}.pull`, { recursive: true, force: true });
  }
}

/** Returns the stored state; null in a new database, which gets the table of the state. @throws WarehouseRefused */
async function findStateText(connection: DuckDBConnection, path: string): Promise<string | null> {
  const names = await tableNames(connection);
  if (!names.includes('_brandport_state')) {
    const found = datasetNames.find((name) => names.includes(name));
    if (found !== undefined)
      throw new WarehouseRefused(`${path} has a table "${found}" of another program: use another file.`);
    await connection.run('create table _brandport_state (state varchar not null)');
  }
  const reader = await connection.runAndReadAll('select state from _brandport_state');
  const [row] = reader.getRows();
  return row === undefined ? null : String(row[0]);
}

async function tableNames(connection: DuckDBConnection): Promise<string[]> {
  const reader = await connection.runAndReadAll(
    `select table_name from information_schema.tables where table_schema = 'main'`,
  );
  return reader.getRows().map(([name]) => String(name));
}

function createTable({ name, columns }: DatasetTable): string {
  const list = columns.map(
    (each) => `${each.name} ${sqlTypes[each.type]}${each.name === 'date' ? ' not null' : ''}`,
  );
  return `create table if not exists ${name} (${list.join(', ')})`;
}

/** The types are given: what a day lacks would otherwise be guessed from its rows. */
function insertFrom({ name, columns }: DatasetTable, path: string): string {
  const types = columns.map((each) => `${each.name}: ${literal(sqlTypes[each.type])}`).join(', ');
  const names = columns.map((each) => each.name).join(', ');
  return `insert into ${name} (${names}) select ${names} from read_json(${literal(path)}, format = 'newline_delimited', columns = {${types}})`;
}

function dateLiteral({ date }: SpilledDay): string {
  return `date ${literal(date)}`;
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
