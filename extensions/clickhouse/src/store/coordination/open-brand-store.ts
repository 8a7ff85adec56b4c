import { statement } from '../../../../../server/src/postgres/statement.ts';
import type { Transaction } from '../../../../../server/src/postgres/transaction.ts';

// The housekeeping changes ClickHouse, where no trigger can refuse a change of a closed brand [D202]. It asks PostgreSQL for the
// fence before, and keeps one from being completed until it has committed.

/** Tables whose rows the housekeeping changes first. A fence is complete when it is around all tables. */
const fenced = ['event_claims', 'event_batches', 'published_layers'];

/** A condition, as SQL: no fence has been raised around the brand, as far as these tables are concerned. */
export const isOpen = (brandId: string) =>
  `not exists (
    select from pg_trigger f
    where f.tgrelid in (${fenced.map((table) => `'analytics.${table}'::regclass`).join(', ')})
      and f.tgname = ('brand_' || ${brandId} || '_is_closed')::name
  )`;

/** Keeps the closing of brands from being completed until the transaction ends. Waits half a second at most for one. */
export async function lockOpenBrands(tx: Transaction): Promise<void> {
  await tx.run(
    statement<never>(
      'lock_open_brands',
      // The lock of a writer, for which the creation of a trigger waits.
      `lock table ${fenced.map((table) => `only analytics.${table}`).join(', ')} in row exclusive mode`,
    ),
  );
}

/** Returns those of the brands that are not closed or being closed. They stay open until the transaction ends. */
export async function lockOpenAmong(tx: Transaction, brandIds: readonly number[]): Promise<number[]> {
  await lockOpenBrands(tx);
  const rows = await tx.run(
    statement<{ id: number }>(
      'list_open_brands_among',
      `select b.id from unnest($1::integer[]) as b (id) where ${isOpen('b.id')} order by b.id`,
      [brandIds],
    ),
  );
  return rows.map(({ id }) => id);
}

/** Returns false if the brand is closed or is being closed. Otherwise it stays open until the transaction ends. */
export async function tryLockOpen(tx: Transaction, brandId: number): Promise<boolean> {
  return (await lockOpenAmong(tx, [brandId])).length > 0;
}
