import type { SourceTime } from '../../lib/source-time.ts';
import { column, type JsonRowsValue, jsonRows, type RowOf } from '../../postgres/json-rows.ts';
import { sourceTimeSql, statement, withMicrosSql } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { StockLock } from '../stock/brand-stock-store.ts';
import type { TargetLevel } from '../stock/stock-changes.ts';
import { levelTimeSql } from '../stock/stock-level-store.ts';
import { packLines, undecidedLetter } from './feed.ts';
import type { FeedInWork } from './feed-work-store.ts';

/** A line of a chunk, and the level that it names. Ids are null where the name is unknown. */
export interface ChunkLine extends Omit<TargetLevel, 'productId' | 'locationId'> {
  /** From 0. */
  readonly line: number;
  readonly quantity: number;
  /** null: the level keeps its reservation. */
  readonly reserved: number | null;
  readonly fedAt: SourceTime;
  /** The letter of the result that the line has already; `undecidedLetter`: it has to be decided. */
  readonly letter: string;
  readonly productId: number | null;
  readonly locationId: number | null;
  /** True for the SKU of a product with variants, which has no stock itself. */
  readonly hasVariants: boolean;
  readonly movementId: number;
}

const lineColumns = {
  line: column<number>('c.line'),
  sku: column<string>('c.sku'),
  locationCode: column<string>('c.location_code'),
  quantity: column<number>('c.quantity'),
  reserved: column<number | null>('c.reserved'),
  fedAt: column<SourceTime>(sourceTimeSql(withMicrosSql('c.updated_at', 'coalesce(c.micros, 0)'))),
  letter: column<string>('c.letter'),
  productId: column<number | null>('i.product_id'),
  hasVariants: column<boolean>('i.has_variants is true'),
  hasRollup: column<boolean>('s.is_there is true'),
  variantId: column<number | null>('v.id'),
  variantCounts: column<boolean>('v.is_active is true'),
  locationId: column<number | null>('o.id'),
  locationCounts: column<boolean>('o.is_active is true'),
  levelId: column<number>(`coalesce(l.id, nextval('stock_levels_id_seq'))`),
  levelQuantity: column<number | null>('l.quantity'),
  levelReserved: column<number | null>('l.reserved'),
  levelAt: column<SourceTime | null>(sourceTimeSql(levelTimeSql)),
  levelIsFromFeed: column<boolean>('l.is_from_feed is true'),
  movementId: column<number>(`nextval('stock_movements_id_seq')`),
};
const lineRows = jsonRows(lineColumns);

/**
 * A level is found by the copies of SKU and code that levels store, and is hidden if the SKU is a deleted variant's. Each line
 * is looked up on its own by index ("offset 0"), regardless of the planner's estimates; one that has its result has no SKU to
 * look up.
 */
const chunk = `select ${lineRows.columns}
  from (
    select l.line, l.sku, case when l.letter = '${undecidedLetter}' then l.sku end as looked_up, l.location_code, l.quantity,
      l.reserved, l.updated_at, l.micros, l.letter
    from (
      -- The positions of the chunk in the pack, from 1.
      select p.*, greatest($3 - p.first_line, 0) + 1 as i, least($4 - p.first_line, ${packLines}) as j
      from stock_feed_packs p
      where p.brand_id = $1 and p.feed_id = $2 and p.first_line > $3 - ${packLines} and p.first_line < $4
      offset 0
    ) p
    cross join lateral (
      select p.first_line + p.i + x.n - 2 as line, x.sku, x.location_code, x.quantity, x.reserved, x.updated_at,
        x.micros, x.letter
      from rows from (
        unnest(p.skus[p.i:p.j]), unnest(p.location_codes[p.i:p.j]), unnest(p.quantities[p.i:p.j]),
        unnest(p.reserved[p.i:p.j]), unnest(p.updated_ats[p.i:p.j]), unnest(p.updated_micros[p.i:p.j]),
        string_to_table(substr(p.results, p.i, p.j - p.i + 1), null)
      ) with ordinality as x (sku, location_code, quantity, reserved, updated_at, micros, letter, n)
      where x.sku is not null
    ) l
  ) c
  left join lateral (
    select e.id, e.product_id, e.variant_id, e.quantity, e.reserved, e.source_updated_at, e.source_micros, e.is_from_feed
    from stock_levels e
    where e.brand_id = $1 and e.sku = c.looked_up and e.location_code = c.location_code and not e.is_hidden
    limit 1
  ) as l on true
  -- Skipped if there is a level. "offset 0" keeps the condition out of the join, which would run first.
  left join lateral (
    select p.id, p.has_variants from products p
    where p.brand_id = $1 and p.sku = c.looked_up and l.id is null
    offset 0
  ) as p on true
  left join lateral (
    select v.id, v.product_id, v.is_active from variants v
    where v.brand_id = $1 and v.id = l.variant_id
    union all
    -- "offset 0" keeps the condition on deleted_at out of the look-up: on a table without statistics it makes a partial
    -- index of the whole brand look cheaper than that of the SKU.
    select v.id, v.product_id, v.is_active from (
      select v.id, v.product_id, v.is_active, v.deleted_at from variants v
      where v.brand_id = $1 and v.sku = c.looked_up and l.id is null
      offset 0
    ) v where v.deleted_at is null
  ) as v on true
  cross join lateral (
    select coalesce(l.product_id, p.id, v.product_id) as product_id,
      case
        when l.id is null then p.has_variants
        -- Equals has_variants, but the index answers it without the row of the product.
        when l.variant_id is null then (
          select true from variants x
          where x.brand_id = $1 and x.product_id = l.product_id and x.deleted_at is null
          limit 1
        )
      end as has_variants
  ) as i
  left join lateral (
    select o.id, o.is_active from stock_locations o where o.brand_id = $1 and o.external_code = c.location_code
  ) as o on true
  left join lateral (
    select true as is_there from product_stock s where s.brand_id = $1 and s.product_id = i.product_id
  ) as s on true
  order by c.line`;

/**
 * Reads the lines from the next one to `end` (exclusive), and what their decisions need. Send it after the stock lock is taken.
 */
export async function readChunkLines(
  tx: Transaction,
  { brandId, id, nextLine }: FeedInWork,
  end: number,
): Promise<ChunkLine[]> {
  const rows = await tx.run(
    statement<{ lines: JsonRowsValue }>('read_chunk_lines', `select ${lineRows.aggregate(chunk)} as lines`, [
      brandId,
      id,
      nextLine,
      end,
    ]),
  );
  return lineRows.read(rows[0]?.lines ?? []).map(chunkLineFromRow);
}

/** Without rest and spread, which take ten times as long for 20 columns. */
function chunkLineFromRow(row: RowOf<typeof lineColumns>): ChunkLine {
  const level = {
    quantity: row.levelQuantity as number,
    reserved: row.levelReserved as number,
    sourceAt: row.levelAt as SourceTime,
    isFromFeed: row.levelIsFromFeed,
  };
  return {
    line: row.line,
    sku: row.sku,
    locationCode: row.locationCode,
    quantity: row.quantity,
    reserved: row.reserved,
    fedAt: row.fedAt,
    letter: row.letter,
    productId: row.productId,
    hasVariants: row.hasVariants,
    hasRollup: row.hasRollup,
    variantId: row.variantId,
    variantCounts: row.variantCounts,
    locationId: row.locationId,
    locationCounts: row.locationCounts,
    levelId: row.levelId,
    level: row.levelQuantity === null ? null : level,
    movementId: row.movementId,
  };
}

/** Writes the letters of consecutive lines from the feed's next one into their packs; sent with the commit. */
export function writeResultLetters(
  tx: Transaction,
  { brandId, id, nextLine }: FeedInWork,
  letters: string,
): void {
  const end = nextLine + letters.length;
  for (let firstLine = nextLine - (nextLine % packLines); firstLine < end; firstLine += packLines) {
    const from = Math.max(nextLine, firstLine);
    const part = letters.slice(from - nextLine, firstLine + packLines - nextLine);
    tx.queue(
      statement<never>(
        'write_result_letters',
        // A feed that lacks lines has packs that end early.
        `update stock_feed_packs set results = left(overlay(results placing $5 from $4), length(results))
         where brand_id = $1 and feed_id = $2 and first_line = $3`,
        [brandId, id, firstLine, from - firstLine + 1, part],
      ),
    );
  }
}

/** Records lines that a newer quantity has refused, so that they are found by SKU and location [D120]. */
export function recordStaleLines(
  { tx, now }: StockLock,
  { brandId, id }: FeedInWork,
  lines: readonly ChunkLine[],
): void {
  if (lines.length === 0) return;
  const rows = lines.map(({ line, sku, locationCode }) => ({ line, sku, location_code: locationCode }));
  tx.queue(
    statement<never>(
      'record_stale_lines',
      `insert into refused_feed_lines (brand_id, sku, location_code, feed_id, line, result, refused_at)
       select $1, g.sku, g.location_code, $2, g.line, 'stale', $4
       from json_to_recordset($3::json) as g (line integer, sku text, location_code text)`,
      [brandId, id, JSON.stringify(rows), now],
    ),
  );
}

/** Records lines that somebody has to act on, instead of older ones of their SKU and location. */
export function recordRefusedLines(
  { tx }: StockLock,
  { brandId, id }: FeedInWork,
  lines: readonly ChunkLine[],
): void {
  if (lines.length === 0) return;
  const rows = lines.map(({ line, sku, locationCode, fedAt }) => ({
    line,
    sku,
    at: fedAt,
    code: locationCode,
  }));
  tx.queue(
    statement<never>(
      'record_refused_lines',
      `insert into open_feed_lines as o (brand_id, sku, location_code, feed_id, line, updated_at)
       select $1, g.sku, g.code, $2, g.line, g.at
       from json_to_recordset($3::json) as g (line integer, sku text, code text, at timestamptz)
       on conflict (brand_id, sku, location_code) do update
       set feed_id = excluded.feed_id, line = excluded.line, updated_at = greatest(o.updated_at, excluded.updated_at)`,
      [brandId, id, JSON.stringify(rows)],
    ),
  );
}

/** Deletes the refused lines that the levels of these lines have caught up with. */
export function closeRefusedLines(
  { tx }: StockLock,
  { brandId }: FeedInWork,
  lines: readonly ChunkLine[],
): void {
  if (lines.length === 0) return;
  const rows = lines.map(({ sku, locationCode, fedAt, level }) => {
    return { sku, code: locationCode, at: level !== null && level.sourceAt > fedAt ? level.sourceAt : fedAt };
  });
  tx.queue(
    statement<never>(
      'close_refused_lines',
      // Each line is looked up on its own by index, regardless of the planner's estimates.
      `delete from open_feed_lines o where o.brand_id = $1 and o.ctid = any (array(
         select x.ctid from json_to_recordset($2::json) as g (sku text, code text, at timestamptz)
         cross join lateral (
           select l.ctid from open_feed_lines l
           where l.brand_id = $1 and l.sku = g.sku and l.location_code = g.code and l.updated_at <= g.at
           offset 0
         ) as x
       ))`,
      [brandId, JSON.stringify(rows)],
    ),
  );
}
