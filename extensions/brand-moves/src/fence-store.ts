import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { BackupError } from '../../../server/src/backup/backup-error.ts';
import { quotedName } from '../../../server/src/backup/copy-connection.ts';
import { inTransaction } from '../../../server/src/postgres/client-transaction.ts';
import { isLockTimeout } from '../../../server/src/postgres/sqlstate.ts';
import type { BrandTable } from './brand-tables-store.ts';

// A fence is two triggers on each table with rows of brands, which refuse to write rows of one brand. Creating a trigger waits
// for the transactions that have written to the table, regardless of their process: after it, none is left that could commit a
// change of the brand. Nothing is paid for it while no brand is closed.

/** While a table's lock is waited for, other writers of the table wait behind it. */
const lockLimit = '500ms';
const pauseMs = 250;
/** A feed's chunk or an aggregation may hold a table for long. */
const patienceMs = 120_000;

const triggerNames = (brandId: number) =>
  [`brand_${brandId}_is_closed`, `brand_${brandId}_is_closed_to_deletes`] as const;

/**
 * Raises the fence around a brand on one table after the other; continues what an interrupted call has begun.
 * @throws BackupError when a table is in use for two minutes without a pause
 */
export async function raiseFence(
  client: pg.Client,
  tables: readonly BrandTable[],
  brandId: number,
): Promise<void> {
  const [writes, deletes] = triggerNames(brandId);
  const fence = await readFence(client, brandId);
  for (const { schema, name, brandColumn } of tables) {
    const table = quotedName({ schema, name });
    if (fence.get(table) === 2) continue;
    const refuse = `execute function ${schema}.refuse_change_of_closed_brand('${brandId}', '${name}')`;
    await changeTable(
      client,
      table,
      `create or replace trigger ${writes} before insert or update on ${table}
         for each row when (new."${brandColumn}" = ${brandId}) ${refuse};
       create or replace trigger ${deletes} before delete on ${table}
         for each row when (old."${brandColumn}" = ${brandId}) ${refuse}`,
    );
  }
}

/**
 * Removes all triggers of the fence around a brand, on any table of the database.
 * @throws BackupError when a table is in use for two minutes without a pause
 */
export async function removeFence(client: pg.Client, brandId: number): Promise<void> {
  const [writes, deletes] = triggerNames(brandId);
  for (const table of (await readFence(client, brandId)).keys())
    await changeTable(
      client,
      table,
      `drop trigger if exists ${writes} on ${table}; drop trigger if exists ${deletes} on ${table}`,
    );
}

export async function isFenced(
  client: pg.Client,
  tables: readonly BrandTable[],
  brandId: number,
): Promise<boolean> {
  const fence = await readFence(client, brandId);
  return tables.every((table) => fence.get(quotedName(table)) === 2);
}

/** Lets the rest of the transaction write rows of a fenced brand. */
export async function passFence(client: pg.Client, brandId: number): Promise<void> {
  await client.query(`select set_config('brandport.moved_brand', $1, true)`, [String(brandId)]);
}

/** Returns the number of triggers of a fence by table; those of a partition count as its table's. */
async function readFence(client: pg.Client, brandId: number): Promise<ReadonlyMap<string, number>> {
  const { rows } = await client.query<{ table: string; triggers: number }>(
    `select format('"%s"."%s"', n.nspname, c.relname) as table, count(*)::integer as triggers
     from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
     where t.tgname = any ($1) and t.tgparentid = 0
     group by 1`,
    [triggerNames(brandId)],
  );
  return new Map(rows.map(({ table, triggers }) => [table, triggers]));
}

/** Runs statements that lock a table in a short transaction, as often as it takes to get the lock. */
async function changeTable(client: pg.Client, table: string, statements: string): Promise<void> {
  const limit = performance.now() + patienceMs;
  for (;;) {
    try {
      await inTransaction(client, () =>
        client.query(`set local lock_timeout = '${lockLimit}'; ${statements}`),
      );
      return;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (performance.now() > limit)
        throw new BackupError(
          `${table} is in use by a transaction that does not end. End it, or wait for it, and run the command again.`,
          { cause: error },
        );
      await sleep(pauseMs);
    }
  }
}
