import type pg from 'pg';
import { recordAudit } from '../../audit/audit-store.ts';
import type { Log } from '../../lib/log.ts';
import { readHistory } from '../../postgres/schema/schema-history.ts';
import { brokenConstraint, sqlState } from '../../postgres/sqlstate.ts';
import { BackupError } from '../backup-error.ts';
import { type CheckedBackup, requireMeasure } from '../check-backup.ts';
import { quotedName } from '../copy-connection.ts';
import type { BrandPart, SchemaPart } from '../manifest.ts';
import { setClosed } from './brand-state-store.ts';
import { resource } from './close-brand.ts';
import { makeEventMonths, readEventsKeptSince } from './event-days-store.ts';
import { removeFence } from './fence-store.ts';
import {
  advanceSequences,
  deleteRowsOf,
  findBrandName,
  lockMoves,
  RowsInStatements,
} from './import-store.ts';
import {
  type CellAddresses,
  type OpenCell,
  type OpenStore,
  transactionOf,
  withCell,
} from './move-connection.ts';

export interface ImportedBrand {
  readonly brandId: number;
  readonly name: string;
  readonly tables: number;
  readonly rows: number;
}

interface ImportOptions {
  readonly log: Log;
  readonly cancelled: AbortSignal;
}

const uniqueViolation = '23505';

/**
 * Adds the brand of a checked file to a cell, and opens it. The rows come in one transaction, in which the brand appears to
 * requests: after a failure or a crash there is nothing of it. With an analytics store of its own, its rows are committed right
 * before; what a crash in between has left there is replaced by the next import.
 * @throws BackupError when the cell has the brand, one of its unique ids, another schema or other events than the file; what
 *   PostgreSQL reports, or the reason of `cancelled`
 */
export async function importBrand(
  { reader, manifest }: CheckedBackup,
  addresses: CellAddresses,
  options: ImportOptions,
): Promise<ImportedBrand> {
  const brand = manifest.brand as BrandPart;
  return withCell(addresses, async (cell) => {
    const { main, analytics, clients } = cell;
    await requireSameSchema(main, manifest.main);
    await requireSameSchema(analytics, manifest.analytics);
    await requireNew(main.client, brand);
    await requireSameEvents(analytics.client, brand);
    // Left by an interrupted removal, if the brand has lived here before.
    for (const { client, tables } of [main, analytics]) await removeFence(client, tables, brand.id);
    await makeEventMonths(analytics.client, manifest.analytics.event_months);
    await advanceSequences(main.client, brand.last_ids);

    const sum = { tables: 0, rows: 0 };
    for (const client of clients) await client.query('begin');
    await lockMoves(main.client);
    await requireNew(main.client, brand);
    await fill(main, { reader, part: manifest.main, sum }, options);
    const left = await deleteRowsOf(analytics.client, analytics.tables, brand.id);
    if (left > 0) options.log('info', `replacing ${left} rows that an interrupted import has left`);
    await fill(analytics, { reader, part: manifest.analytics, sum }, options);
    await open(cell, brand, sum.rows);
    for (const client of clients) await client.query('commit');
    return { brandId: brand.id, name: brand.name, ...sum };
  });
}

async function requireNew(client: pg.Client, { id }: BrandPart): Promise<void> {
  const name = await findBrandName(client, id);
  if (name !== null)
    throw new BackupError(`The brand ${id} (${name}) is in this cell already. Nothing was written.`);
}

/** Rows mean the same only in the same tables: both cells have to run the same version. */
async function requireSameSchema({ client, schema }: OpenStore, part: SchemaPart): Promise<void> {
  const { migrations, revision } = await readHistory(client, schema);
  const nameAll = (all: readonly { name: string; checksum: string }[]) =>
    all.map(({ name, checksum }) => `${name} ${checksum}`).join();
  if (nameAll(migrations) === nameAll(part.migrations) && revision === part.revision) return;
  const last = (all: readonly { name: string }[]) => all.at(-1)?.name ?? 'none';
  throw new BackupError(
    `The file has the schema ${last(part.migrations)}, revision ${part.revision}; this cell has ${last(migrations)}, revision ` +
      `${revision}. Both cells have to run the same version. Nothing was written.`,
  );
}

/**
 * The day before which events were dropped counts for a whole cell. With a later one, a cell would keep events that it has
 * declared dropped; with an earlier one, it would aggregate days again without their events.
 */
async function requireSameEvents(client: pg.Client, { events_kept_since: since }: BrandPart): Promise<void> {
  const here = await readEventsKeptSince(client);
  if (here === since) return;
  const text = (day: string | null) => (day === null ? 'from the beginning' : `since ${day}`);
  throw new BackupError(
    `The brand's cell has the events ${text(since)}, this cell ${text(here)}. Give both the same BRANDPORT_KEEP_EVENTS, run ` +
      '`brandport retain` in both, and export the brand again. Nothing was written.',
  );
}

async function fill(
  { client, schema, tables }: OpenStore,
  {
    reader,
    part,
    sum,
  }: Pick<CheckedBackup, 'reader'> & { part: SchemaPart; sum: { tables: number; rows: number } },
  { log, cancelled }: ImportOptions,
): Promise<void> {
  const inFile = new Map(part.tables.map((table) => [quotedName(table), table]));
  if (inFile.size !== tables.length)
    throw new BackupError(
      `the file has ${inFile.size} tables of the schema ${schema}, this cell ${tables.length}`,
    );
  for (const { schema: of, name } of tables) {
    const table = inFile.get(quotedName({ schema: of, name }));
    if (table === undefined) throw new BackupError(`the file lacks ${of}.${name}`);
    const target = new RowsInStatements(client, table);
    try {
      requireMeasure(table, await reader.copyTo(table.member, target, cancelled));
    } catch (error) {
      throw sqlState(error) === uniqueViolation ? collision(error as Error, name) : error;
    }
    if (target.rowCount !== table.rows)
      throw new BackupError(`${table.member} has ${table.rows} rows, and ${target.rowCount} arrived`);
    log('info', `${of}.${name}: ${table.rows} rows`);
    sum.tables += 1;
    sum.rows += table.rows;
  }
}

function collision(error: Error, table: string): BackupError {
  const { detail = '' } = error as Error & { detail?: string };
  return new BackupError(
    `A row of ${table} has an id that another brand of this cell has (${brokenConstraint(error)}). ${detail} Nothing was written.`,
    { cause: error },
  );
}

/** Opens the imported brand, in the transaction of its rows. */
async function open({ main }: OpenCell, brand: BrandPart, rows: number): Promise<void> {
  const tx = transactionOf(main.client);
  await setClosed(tx, brand.id, false);
  await recordAudit(tx, {
    action: 'brand.import',
    ...resource(brand.id),
    details: { from_cell: brand.cell, rows },
  });
}
