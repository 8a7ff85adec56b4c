import { statement } from '../postgres/statement.ts';
import type { Transaction } from '../postgres/transaction.ts';

export type NamedTable = 'markets' | 'points_of_sale';

/** An upsert of a row; an absent name is left unchanged. */
export interface NamedItem {
  readonly tuId: string;
  readonly name?: string | undefined;
}

/**
 * Creates or renames any number of rows in two statements. Rows are locked in the order of their ids, so that two concurrent
 * upserts do not deadlock.
 */
export async function upsertNamedItems(
  tx: Transaction,
  table: NamedTable,
  brandId: number,
  items: readonly NamedItem[],
): Promise<void> {
  const values = [brandId, items.map(({ tuId }) => tuId), items.map(({ name }) => name ?? null)];
  await tx.run(
    statement<never>(
      `insert_${table}`,
      `insert into ${table} (brand_id, tu_id, name)
       select $1, i.tu_id, i.name from unnest($2::text[], $3::text[]) as i (tu_id, name)
       order by i.tu_id collate "C"
       on conflict (brand_id, tu_id) do nothing`,
      values,
    ),
  );
  await tx.run(
    statement<never>(
      `rename_${table}`,
      `update ${table} t
       set name = i.name, updated_at = now_ms()
       from unnest($2::text[], $3::text[]) as i (tu_id, name)
       where t.brand_id = $1 and t.tu_id = i.tu_id and i.name is not null and t.name is distinct from i.name`,
      values,
    ),
  );
}
