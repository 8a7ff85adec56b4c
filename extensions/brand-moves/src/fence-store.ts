import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { BackupError } from '../../../server/src/backup/backup-error.ts';
import { quotedName } from '../../../server/src/backup/copy-connection.ts';
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
  for (const table of tables) {
    const { schema, name, brandColumn } = table;
    const refuse = `execute function ${schema}.refuse_change_of_closed_brand('${brandId}', '${name}')`;
    const existing = await listTriggers(client, table, brandId);
    await withTable(client, table, async () => {
      if (!existing.includes(writes))
        await client.query(
          `create trigger ${writes} before insert or update on ${quotedName(table)}
           for each row when (new."${brandColumn}" = ${brandId}) ${refuse}`,
        );
      if (!existing.includes(deletes))
        await client.query(
          `create trigger ${deletes} before delete on ${quotedName(table)}
           for each row when (old."${brandColumn}" = ${brandId}) ${refuse}`,
        );
    });
  }
}

/** Removes the fence around a brand. @throws BackupError when a table is in use for two minutes without a pause */
export async function removeFence(
  client: pg.Client,
  tables: readonly BrandTable[],
  brandId: number,
): Promise<void> {
  for (const table of tables) {
    const existing = await listTriggers(client, table, brandId);
    if (existing.length === 0) continue;
    await withTable(client, table, async () => {
      for (const name of existing)
        await client.query(`drop trigger if exists ${name} on ${quotedName(table)}`);
    });
  }
}

/** Returns whether the fence is complete. */
export async function isFenced(
  client: pg.Client,
  tables: readonly BrandTable[],
  brandId: number,
): Promise<boolean> {
  for (const table of tables) if ((await listTriggers(client, table, brandId)).length < 2) return false;
  return true;
}

/** Lets the rest of the transaction write rows of a fenced brand. */
export async function passFence(client: pg.Client, brandId: number): Promise<void> {
  await client.query(`select set_config('brandport.moved_brand', $1, true)`, [String(brandId)]);
}

async function listTriggers(client: pg.Client, table: BrandTable, brandId: number): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'select tgname as name from pg_trigger where tgrelid = $1::regclass and tgname = any ($2)',
    [quotedName(table), triggerNames(brandId)],
  );
  return rows.map(({ name }) => name);
}

/** Runs statements that lock a table in a short transaction, as often as it takes to get the lock. */
async function withTable(client: pg.Client, table: BrandTable, change: () => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  for (;;) {
    await client.query('begin');
    try {
      await client.query(`set local lock_timeout = '${lockLimit}'`);
      await change();
      await client.query('commit');
      return;
    } catch (error) {
      await client.query('rollback');
      if (!isLockTimeout(error)) throw error;
      if (performance.now() - startedAt > patienceMs)
        throw new BackupError(
          `${table.schema}.${table.name} is in use by a transaction that does not end. End it, or wait for it, and run the ` +
            'command again.',
          { cause: error },
        );
      await sleep(pauseMs);
    }
  }
}
