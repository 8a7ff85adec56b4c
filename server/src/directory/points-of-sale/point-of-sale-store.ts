import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { NamedItem } from '../named-item-store.ts';

/** An upsert of a point of sale; absent fields are left unchanged. */
export interface PointOfSaleItem extends NamedItem {
  /** external_code of its stock location; null detaches it. */
  readonly location?: string | null | undefined;
}

export async function findUnknownLocations(
  tx: Transaction,
  brandId: number,
  codes: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.run(
    statement<{ code: string }>(
      'find_unknown_locations',
      `select c.code from unnest($2::text[]) as c (code)
       where not exists (
         select 1 from stock_locations o where o.brand_id = $1 and o.external_code = c.code
       )`,
      [brandId, codes],
    ),
  );
  return new Set(rows.map(({ code }) => code));
}

/** A null code removes the assignment. A location has at most one point of sale: a new one replaces the previous one. */
export async function attachPointsOfSale(
  tx: Transaction,
  brandId: number,
  attachments: readonly { readonly tuId: string; readonly location: string | null }[],
): Promise<void> {
  const tuIds = attachments.map(({ tuId }) => tuId);
  const codes = attachments.map(({ location }) => location);
  await tx.run(
    statement<never>(
      'detach_points_of_sale',
      `update points_of_sale p
       set location_id = null
       where p.brand_id = $1 and p.location_id is not null
         and (p.tu_id = any($2::text[]) or p.location_id in (
           select o.id from stock_locations o where o.brand_id = $1 and o.external_code = any($3::text[])
         ))`,
      [brandId, tuIds, codes],
    ),
  );
  await tx.run(
    statement<never>(
      'attach_points_of_sale',
      `update points_of_sale p
       set location_id = o.id, updated_at = now_ms()
       from unnest($2::text[], $3::text[]) as i (tu_id, code)
       join stock_locations o on o.brand_id = $1 and o.external_code = i.code
       where p.brand_id = $1 and p.tu_id = i.tu_id`,
      [brandId, tuIds, codes],
    ),
  );
}

/** Returns whether it existed. */
export async function deletePointOfSale(tx: Transaction, brandId: number, tuId: string): Promise<boolean> {
  const rows = await tx.run(
    statement<{ tu_id: string }>(
      'delete_point_of_sale',
      'delete from points_of_sale where brand_id = $1 and tu_id = $2 returning tu_id',
      [brandId, tuId],
    ),
  );
  return rows.length === 1;
}
