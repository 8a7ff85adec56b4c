import { statement } from '../../../server/src/postgres/statement.ts';
import type { Transaction } from '../../../server/src/postgres/transaction.ts';

/** The state of a brand on its way from cell to cell [D202]. */
export interface BrandState {
  readonly name: string;
  /** null: the brand is open. */
  readonly closedAt: Date | null;
  /** null: it was not written to a file since it was closed. */
  readonly exportedAt: Date | null;
}

export async function lockBrandState(tx: Transaction, brandId: number): Promise<BrandState | null> {
  const rows = await tx.run(
    statement<{ name: string; closed_at: Date | null; exported_at: Date | null }>(
      'lock_brand_state',
      'select name, closed_at, exported_at from brands where id = $1 for no key update',
      [brandId],
    ),
  );
  const row = rows[0];
  return row === undefined ? null : { name: row.name, closedAt: row.closed_at, exportedAt: row.exported_at };
}

export async function setClosed(tx: Transaction, brandId: number, isClosed: boolean): Promise<void> {
  await tx.run(
    statement<never>(
      'set_brand_closed',
      `update brands set closed_at = case when $2 then coalesce(closed_at, now_ms()) end, exported_at = null where id = $1`,
      [brandId, isClosed],
    ),
  );
  for (const table of ['api_keys', 'feed_tokens'])
    await tx.run(
      statement<never>(
        `set_${table}_closed`,
        `update ${table} set brand_is_closed = $2 where brand_id = $1 and brand_is_closed <> $2`,
        [brandId, isClosed],
      ),
    );
}

export async function setExported(tx: Transaction, brandId: number): Promise<void> {
  await tx.run(
    statement<never>('set_brand_exported', 'update brands set exported_at = now_ms() where id = $1', [
      brandId,
    ]),
  );
}
