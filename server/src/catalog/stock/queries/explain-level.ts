import { notFound } from '../../../errors/api-error.ts';
import type { Queryable } from '../../../postgres/database.ts';
import { sourceTimeSql, statement } from '../../../postgres/statement.ts';
import type { StockExplanation } from '../stock-explanation.ts';
import type { StockLevel } from '../stock-level.ts';
import { levelTimeSql } from '../stock-level-store.ts';
import { listRefusedLines, listStockEntries, type RefusedPosition } from './stock-entries.ts';

export interface ExplanationQuery {
  readonly brandId: number;
  readonly sku: string;
  readonly location: string;
  /** The instant of the level to explain; null for the current level. */
  readonly at: Date | null;
  /** Continues before this movement; null: begins with the newest. */
  readonly before: number | null;
  /** Continues the refused lines of the page after this one; null: begins with the newest. */
  readonly refusedBefore: RefusedPosition | null;
  /** The largest number of entries, and of refused lines. */
  readonly limit: number;
}

interface FoundLevel {
  readonly isSku: boolean;
  readonly isLocation: boolean;
  readonly levelId: number | null;
  readonly level: StockLevel | null;
}

/**
 * Four statements, each an index range. A SKU names its current product or variant, not one that had it before.
 * @throws ApiError `not_found` if the brand has no such SKU or location
 */
export async function explainStock(database: Queryable, query: ExplanationQuery): Promise<StockExplanation> {
  const { brandId, sku, location, at, limit } = query;
  const { isSku, isLocation, levelId, level } = await findLevel(database, query);
  if (!isSku || !isLocation) throw notFound();
  const place = { brandId, sku, location, levelId: levelId ?? 0 };
  const [chain, entries] = await Promise.all([
    findInstant(database, place, at),
    listStockEntries(database, place, query),
  ]);
  const oldest = entries.length < limit ? null : (entries.at(-1)?.at ?? null);
  const refused = await listRefusedLines(database, place, { ...query, since: oldest });
  return {
    level,
    quantityAt: (at === null ? level : chain)?.quantity ?? 0,
    firstAt: chain?.firstAt ?? null,
    nextAt: chain?.nextAt ?? null,
    entries,
    refused: refused.lines,
    refusedNext: refused.next,
  };
}

async function findLevel(
  database: Queryable,
  { brandId, sku, location }: ExplanationQuery,
): Promise<FoundLevel> {
  const rows = await database.run(
    statement<StockLevel & FoundLevel>(
      'find_level_to_explain',
      `select exists (select from sku_claims c where c.brand_id = $1 and c.sku = $2) as "isSku",
         exists (select from stock_locations o where o.brand_id = $1 and o.external_code = $3) as "isLocation",
         l.*
       from (select) as one
       left join lateral (
         select l.id as "levelId", p.tu_id as "productTuId", v.tu_id as "variantTuId", l.quantity, l.reserved,
           ${sourceTimeSql(levelTimeSql)} as "sourceUpdatedAt", l.updated_at as "updatedAt"
         from stock_levels l
         join products p on p.brand_id = l.brand_id and p.id = l.product_id
         left join variants v on v.brand_id = l.brand_id and v.id = l.variant_id
         where l.brand_id = $1 and l.sku = $2 and l.location_code = $3 and not l.is_hidden
         limit 1
       ) as l on true`,
      [brandId, sku, location],
    ),
  );
  const { isSku, isLocation, levelId, ...level } = rows[0] as (typeof rows)[0];
  return { isSku, isLocation, levelId, level: levelId === null ? null : { ...level, sku, location } };
}

interface InstantRow {
  readonly quantity: number;
  readonly firstAt: Date;
  readonly nextAt: Date | null;
}

/**
 * Finds the quantity at an instant, and the times of the level's first movement and of the one after the instant; null without
 * movements. The quantity before the first movement is its `quantity_before`.
 */
async function findInstant(
  database: Queryable,
  { brandId, levelId }: { readonly brandId: number; readonly levelId: number },
  at: Date | null,
): Promise<InstantRow | null> {
  const rows = await database.run(
    statement<InstantRow>(
      'find_instant_of_level',
      `select coalesce(last.quantity_after, first.quantity_before) as quantity, first.created_at as "firstAt",
         (
           select m.created_at from stock_movements m
           where m.brand_id = $1 and m.level_id = $2 and m.id > coalesce(last.id, 0)
           order by m.id limit 1
         ) as "nextAt"
       from (
         select m.quantity_before, m.created_at from stock_movements m
         where m.brand_id = $1 and m.level_id = $2
         order by m.id limit 1
       ) as first
       left join lateral (
         select m.id, m.quantity_after from stock_movements m
         where m.brand_id = $1 and m.level_id = $2 and m.created_at <= $3
         order by m.id desc limit 1
       ) as last on true`,
      [brandId, levelId, at ?? 'infinity'],
      { long: true },
    ),
  );
  return rows[0] ?? null;
}
