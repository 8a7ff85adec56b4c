import { notFound } from '../../../errors/api-error.ts';
import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';
import type { StockExplanation } from '../stock-explanation.ts';
import type { StockLevel } from '../stock-level.ts';
import { listRefusedLines, listStockEntries, type RefusedPosition } from './stock-entries.ts';

export interface ExplanationQuery {
  readonly brandId: number;
  readonly sku: string;
  /** A location's external code. */
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

interface LevelRow {
  readonly is_sku: boolean;
  readonly is_location: boolean;
  readonly level_id: number | null;
  readonly product_tu_id: string;
  readonly variant_tu_id: string | null;
  readonly quantity: number;
  readonly reserved: number;
  readonly source_updated_at: Date;
  readonly updated_at: Date;
}

/**
 * Finds the movements of a level and the lines of feeds that it refused, with their keys and requests: four statements,
 * each an index range. A SKU names its current product or variant, not one that had it before.
 * @throws ApiError `not_found` if the brand has no such SKU or location
 */
export async function explainStock(database: Queryable, query: ExplanationQuery): Promise<StockExplanation> {
  const { brandId, sku, location, at, limit } = query;
  const row = await findLevel(database, query);
  if (!row.is_sku || !row.is_location) throw notFound();
  const place = { brandId, sku, location, levelId: row.level_id ?? 0 };
  const [chain, entries] = await Promise.all([
    findInstant(database, place, at),
    listStockEntries(database, place, query),
  ]);
  const oldest = entries.length < limit ? null : (entries.at(-1)?.at ?? null);
  const refused = await listRefusedLines(database, place, { ...query, since: oldest });
  return {
    level: row.level_id === null ? null : levelFromRow(row, sku, location),
    quantityAt: at === null ? (row.quantity ?? 0) : (chain?.quantity ?? 0),
    firstAt: chain?.first_at ?? null,
    nextAt: chain?.next_at ?? null,
    entries,
    refused: refused.lines,
    refusedNext: refused.next,
  };
}

async function findLevel(
  database: Queryable,
  { brandId, sku, location }: ExplanationQuery,
): Promise<LevelRow> {
  const rows = await database.run(
    statement<LevelRow>(
      'find_level_to_explain',
      `select exists (select from sku_claims c where c.brand_id = $1 and c.sku = $2) as is_sku,
         exists (select from stock_locations o where o.brand_id = $1 and o.external_code = $3) as is_location,
         l.id as level_id, l.product_tu_id, l.variant_tu_id, l.quantity, l.reserved, l.source_updated_at, l.updated_at
       from (select) as one
       left join lateral (
         select l.id, p.tu_id as product_tu_id, v.tu_id as variant_tu_id, l.quantity, l.reserved, l.source_updated_at,
           l.updated_at
         from stock_levels l
         join products p on p.brand_id = l.brand_id and p.id = l.product_id
         left join variants v on v.brand_id = l.brand_id and v.id = l.variant_id
         where l.brand_id = $1 and l.sku = $2 and l.location_code = $3 and not l.is_hidden
         limit 1
       ) as l on true`,
      [brandId, sku, location],
    ),
  );
  return rows[0] as LevelRow;
}

interface InstantRow {
  readonly quantity: number;
  readonly first_at: Date;
  readonly next_at: Date | null;
}

/**
 * Finds the quantity of a level at an instant, and the times of its first movement and of the one after the instant; null
 * without movements. The quantity before the first movement is that movement's `quantity_before`. Reads the movements after
 * the instant.
 */
async function findInstant(
  database: Queryable,
  { brandId, levelId }: { readonly brandId: number; readonly levelId: number },
  at: Date | null,
): Promise<InstantRow | null> {
  const rows = await database.run(
    statement<InstantRow>(
      'find_instant_of_level',
      `select coalesce(last.quantity_after, first.quantity_before) as quantity, first.created_at as first_at,
         (
           select m.created_at from stock_movements m
           where m.brand_id = $1 and m.level_id = $2 and m.id > coalesce(last.id, 0)
           order by m.id limit 1
         ) as next_at
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

function levelFromRow(row: LevelRow, sku: string, location: string): StockLevel {
  return {
    sku,
    productTuId: row.product_tu_id,
    variantTuId: row.variant_tu_id,
    location,
    quantity: row.quantity,
    reserved: row.reserved,
    sourceUpdatedAt: row.source_updated_at,
    updatedAt: row.updated_at,
  };
}
