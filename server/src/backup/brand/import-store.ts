import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { quotedName } from '../copy-connection.ts';
import type { TablePart } from '../manifest.ts';
import { rowsInto } from '../restore-store.ts';
import type { BrandTable, LastId } from './brand-tables-store.ts';
import { ofBrand } from './brand-tables-store.ts';

/**
 * PostgreSQL remembers each row of a statement until its foreign keys are checked at the statement's end. Several statements
 * keep that bounded, regardless of the size of the table.
 */
const statementBytes = 32 * 1024 * 1024;
const newline = 0x0a;

/** A stream that adds rows in PostgreSQL's text format to a table, in statements of a bounded size. */
export class RowsInStatements extends Writable {
  readonly #client: pg.Client;
  readonly #table: TablePart;
  readonly #limit: number;
  #current: ReturnType<typeof rowsInto> | null = null;
  #bytes = 0;
  /** The rows that have arrived, once the stream has finished. */
  rowCount = 0;

  constructor(client: pg.Client, table: TablePart, limit = statementBytes) {
    super();
    this.#client = client;
    this.#table = table;
    this.#limit = limit;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#add(chunk).then(
      () => done(),
      (error: Error) => done(error),
    );
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#endStatement().then(
      () => done(),
      (error: Error) => done(error),
    );
  }

  async #add(chunk: Buffer): Promise<void> {
    const end = chunk.lastIndexOf(newline);
    if (this.#bytes + chunk.length < this.#limit || end === -1) return this.#send(chunk);
    await this.#send(chunk.subarray(0, end + 1));
    await this.#endStatement();
    if (end + 1 < chunk.length) await this.#send(chunk.subarray(end + 1));
  }

  #beginStatement(): ReturnType<typeof rowsInto> {
    const target = rowsInto(this.#client, this.#table);
    // PostgreSQL may refuse a row at any time, also while nothing is being written.
    target.once('error', (error) => this.destroy(error));
    this.#current = target;
    return target;
  }

  async #send(chunk: Buffer): Promise<void> {
    const target = this.#current ?? this.#beginStatement();
    this.#bytes += chunk.length;
    await new Promise<void>((resolve, reject) =>
      target.write(chunk, (error) => (error ? reject(error) : resolve())),
    );
  }

  async #endStatement(): Promise<void> {
    const target = this.#current;
    if (target === null) return;
    this.#current = null;
    this.#bytes = 0;
    const ended = finished(target);
    target.end();
    await ended;
    this.rowCount += target.rowCount;
  }
}

/**
 * Moves the sequences behind the ids that will be imported. Each in a short transaction with the sequence's lock, so that no id
 * that is generated meanwhile is generated again.
 */
export async function advanceSequences(client: pg.Client, lastIds: readonly LastId[]): Promise<void> {
  for (const { schema, table, column, last } of lastIds) {
    const { rows } = await client.query<{ name: string }>(
      'select pg_get_serial_sequence($1, $2)::regclass::text as name',
      [quotedName({ schema, name: table }), column],
    );
    const name = rows[0]?.name as string;
    const { rows: found } = await client.query(
      // The first id that it generates is its value, later ones follow it.
      `select last_value - (not is_called)::integer < $1::bigint as is_behind from ${name}`,
      [last],
    );
    if (found[0]?.is_behind !== true) continue;
    await client.query('begin');
    // Any change of a sequence takes the lock for which the generation of ids waits.
    await client.query(`set local lock_timeout = '5s'; alter sequence ${name} cache 1`);
    await client.query(`select setval($1::regclass, greatest(last_value, $2::bigint)) from ${name}`, [
      name,
      last,
    ]);
    await client.query('commit');
  }
}

/** Deletes what an interrupted import has left of a brand in an analytics store of its own. */
export async function deleteRowsOf(
  client: pg.Client,
  tables: readonly BrandTable[],
  brandId: number,
): Promise<number> {
  let count = 0;
  for (const table of tables.toReversed()) {
    const { rowCount } = await client.query(
      `delete from ${quotedName(table)} where ${ofBrand(table, brandId)}`,
    );
    count += rowCount ?? 0;
  }
  return count;
}

/** Deletes up to `limit` rows of a brand from a table and returns their number. */
export async function deleteSomeRowsOf(
  client: pg.Client,
  table: BrandTable,
  brandId: number,
  limit: number,
): Promise<number> {
  const { rowCount } = await client.query(
    // A row of a partitioned table is found by its partition too.
    `with batch as (select tableoid, ctid from ${quotedName(table)} where ${ofBrand(table, brandId)} limit ${limit})
     delete from ${quotedName(table)} t using batch where t.ctid = batch.ctid and t.tableoid = batch.tableoid`,
  );
  return rowCount ?? 0;
}

/** Makes other moves of brands on this database wait until the transaction ends. */
export async function lockMoves(client: pg.Client): Promise<void> {
  await client.query('select pg_advisory_xact_lock(4217736, 0)');
}

/** Returns the name of a brand; null if there is none. */
export async function findBrandName(client: pg.Client, brandId: number): Promise<string | null> {
  const { rows } = await client.query<{ name: string }>('select name from brands where id = $1', [brandId]);
  return rows[0]?.name ?? null;
}
