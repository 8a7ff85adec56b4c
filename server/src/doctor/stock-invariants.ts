import { lockStock, recordStockChange } from '../catalog/stock/brand-stock-store.ts';
import {
  refreshProductStock,
  renewProductVersions,
  rollupColumns,
} from '../catalog/stock/product-stock-store.ts';
import { statement } from '../postgres/statement.ts';
import { differs, figures, type MainInvariant, productScan, type Scan, truthOf } from './invariant.ts';

const levelScan: Scan = { table: 'stock_levels', key: 'id', batchSize: 2_000 };

/**
 * A condition that the level `l` contradicts its ledger. Nothing shows which side is correct, so values that depend on such a
 * level are not repaired: a repair would make the rest agree with the damage [D71].
 */
const isDisputed = `(
  exists (
    select from stock_movements m
    where m.brand_id = l.brand_id and m.level_id = l.id
      and (m.product_id <> l.product_id or m.variant_id is distinct from l.variant_id)
  )
  or l.quantity <> coalesce(
    (select sum(m.delta) from stock_movements m where m.brand_id = l.brand_id and m.level_id = l.id), 0
  )
  or exists (
    select from variants v
    where v.brand_id = l.brand_id and v.id = l.variant_id and v.product_id <> l.product_id
  )
)`;

/** The values that each level has to repeat. */
const copied = `(
  select s.brand_id, s.id, coalesce(v.sku, p.sku) as sku, o.external_code as location_code,
    v.deleted_at is not null as is_hidden
  from stock_levels s
  join products p on p.brand_id = s.brand_id and p.id = s.product_id
  join stock_locations o on o.brand_id = s.brand_id and o.id = s.location_id
  left join variants v on v.brand_id = s.brand_id and v.id = s.variant_id
)`;

const levelCopies: MainInvariant = {
  id: 'stock_level_copies',
  tables: ['stock_levels', 'products', 'variants', 'stock_locations'],
  holds:
    'A level repeats the SKU of its owner, the code of its location, and whether its variant is deleted.',
  scan: levelScan,
  sql: `select l.id::text as key, t.sku || ' @ ' || t.location_code as id, f.field, f.stored, f.actual,
      not ${isDisputed} as "isRepairable"
    from stock_levels l
    join ${copied} t on t.brand_id = l.brand_id and t.id = l.id
    ${figures(['sku', 'location_code', 'is_hidden'], 'l', 't')}
    where l.brand_id = $1 and l.id > $2 and l.id <= $3 and ${differs}
    order by l.id`,
  repair: 'copies again; not where the level is disputed',
  async rewrite(tx, brandId, levelIds) {
    const products = await tx.run(
      statement<{ productId: number }>(
        'list_products_of_levels',
        'select distinct product_id as "productId" from stock_levels where brand_id = $1 and id = any($2::bigint[])',
        [brandId, levelIds],
      ),
    );
    const stock = await lockStock(tx, brandId);
    await tx.run(
      statement<never>(
        'rewrite_level_copies',
        `update stock_levels l
         set sku = t.sku, location_code = t.location_code, is_hidden = t.is_hidden, updated_at = $3
         from ${copied} t
         where l.brand_id = $1 and l.id = any($2::bigint[]) and t.brand_id = $1 and t.id = l.id`,
        [brandId, levelIds, stock.stampedAt],
      ),
    );
    renewProductVersions(
      stock,
      products.map(({ productId }) => productId),
    );
    recordStockChange(stock, levelIds.map(Number));
  },
};

/** A later time is from before feeds were refused for it, and would refuse all changes of the level until then [catalog-123]. */
const levelTimes: MainInvariant = {
  id: 'stock_level_times',
  tables: ['stock_levels'],
  holds: 'No level is dated more than 24 hours ahead.',
  scan: levelScan,
  sql: `select l.id::text as key, l.sku || ' @ ' || l.location_code as id, 'source_updated_at' as field,
      l.source_updated_at::text as stored, 'at most 24 hours ahead' as actual, true as "isRepairable"
    from stock_levels l
    where l.brand_id = $1 and l.id > $2 and l.id <= $3 and l.source_updated_at > now_ms() + interval '24 hours'
    order by l.id`,
  repair: 'dates it to when the level was last written',
  async rewrite(tx, brandId, levelIds) {
    const stock = await lockStock(tx, brandId);
    const products = await tx.run(
      statement<{ productId: number }>(
        'rewrite_level_times',
        `update stock_levels set source_updated_at = least(updated_at, $4), source_micros = 0, updated_at = $3
         where brand_id = $1 and id = any($2::bigint[])
         returning product_id as "productId"`,
        [brandId, levelIds, stock.stampedAt, stock.now],
      ),
    );
    refreshProductStock(stock, [...new Set(products.map(({ productId }) => productId))]);
    recordStockChange(stock, levelIds.map(Number));
  },
};

/**
 * The quantity of a level is the sum of its movements and the last one's result, and each movement begins with the
 * result of the previous one (the first with 0). Only the first break of a chain is reported.
 */
const ledger: MainInvariant = {
  id: 'stock_ledger',
  tables: ['stock_levels', 'stock_movements', 'variants'],
  holds:
    "A level's variant and movements are of its product, and the movements form a chain from 0 to its quantity.",
  scan: levelScan,
  sql: `select l.id::text as key, l.sku || ' @ ' || l.location_code as id, f.field, f.stored, f.actual,
      false as "isRepairable"
    from stock_levels l
    cross join lateral (
      select coalesce(sum(m.delta), 0) as total,
        coalesce((array_agg(m.quantity_after order by m.id desc))[1], 0) as last_after,
        (array_agg(m.quantity_before order by m.id) filter (where m.quantity_before <> m.left_before))[1]
          as break_before,
        (array_agg(m.left_before order by m.id) filter (where m.quantity_before <> m.left_before))[1]
          as break_left,
        count(*) filter (where m.product_id <> l.product_id or m.variant_id is distinct from l.variant_id) as of_others
      from (
        select m.id, m.quantity_before, m.quantity_after, m.delta, m.product_id, m.variant_id,
          lag(m.quantity_after, 1, 0) over (order by m.id) as left_before
        from stock_movements m
        where m.brand_id = l.brand_id and m.level_id = l.id
      ) as m
    ) as g
    left join variants v on v.brand_id = l.brand_id and v.id = l.variant_id
    cross join lateral (values
      ('sum_of_movements', l.quantity::text, g.total::text),
      ('last_movement', l.quantity::text, g.last_after::text),
      ('chain_of_movements', g.break_before::text, g.break_left::text),
      ('movements_of_others', g.of_others::text, '0'),
      ('product_of_variant', l.product_id::text, coalesce(v.product_id, l.product_id)::text)
    ) as f (field, stored, actual)
    where l.brand_id = $1 and l.id > $2 and l.id <= $3 and ${differs}
    order by l.id`,
  repair: null,
};

/** A missing row differs too. Not repairable while a level of the product, currently or by its movements, is disputed. */
const productStock: MainInvariant = {
  id: 'product_stock',
  tables: ['product_stock', 'stock_levels', 'stock_locations', 'variants'],
  holds: 'Each product has a stock rollup that follows from its levels.',
  scan: productScan,
  sql: `select p.id::text as key, p.tu_id as id, f.field, f.stored, f.actual, not exists (
        select from stock_levels l
        where l.brand_id = p.brand_id and (l.product_id = p.id or l.id in (
          select m.level_id from stock_movements m where m.brand_id = p.brand_id and m.product_id = p.id
        )) and ${isDisputed}
      ) as "isRepairable"
    from products p
    ${truthOf('product_stock_truth', rollupColumns)}
    left join product_stock s on s.brand_id = p.brand_id and s.product_id = p.id
    ${figures(rollupColumns, 's', 't')}
    where p.brand_id = $1 and p.id > $2 and p.id <= $3 and ${differs}
    order by p.id`,
  repair: 'recomputes it; not where a level of the product is disputed',
  async rewrite(tx, brandId, productIds) {
    const stock = await lockStock(tx, brandId);
    refreshProductStock(stock, productIds.map(Number));
    recordStockChange(stock, []);
  },
};

export const stockInvariants: readonly MainInvariant[] = [levelCopies, levelTimes, ledger, productStock];

/**
 * The digest of a feed cannot be recomputed: it covers the request, in which times of receipt were not filled in yet. Lines that
 * were dropped are dropped completely; then the sum is all that can be checked.
 */
const totals: MainInvariant = {
  id: 'feed_totals',
  tables: ['stock_feeds', 'stock_feed_packs'],
  holds:
    'The totals of a feed count its decided lines; it has as many lines as it received, and decides them in order; a completed one has passed them all. If its lines were dropped, it has none, and the totals of a completed feed add up to the received lines.',
  // A feed has up to 100,000 lines.
  scan: { table: 'stock_feeds', key: 'id', batchSize: 20 },
  sql: `with feeds as (
      select f.id, f.tu_id, f.totals, f.received_lines, f.next_line, f.status, f.lines_dropped_at is not null as is_dropped,
        case f.status when 'completed' then f.received_lines else f.next_line end as done_before
      from stock_feeds f
      where f.brand_id = $1 and f.id > $2 and f.id <= $3
    ), counted as (
      select l.feed_id, l.result, count(*) as lines, count(*) filter (where l.line < f.done_before) as done
      from feeds f
      join stock_feed_lines l on l.brand_id = $1 and l.feed_id = f.id
      group by l.feed_id, l.result
    )
    select f.id::text as key, f.tu_id as id, d.field, d.stored, d.actual, d."isRepairable"
    from feeds f
    cross join lateral (
      select 'totals.' || coalesce(t.key, c.result) as field, coalesce(t.value, '0') as stored,
        coalesce(c.lines, 0)::text as actual, true as "isRepairable"
      from jsonb_each_text(f.totals) t
      full join (select result, lines from counted where feed_id = f.id and result is not null) c
        on c.result = t.key
      where not f.is_dropped
      union all
      select 'next_line', f.next_line::text, f.received_lines::text, true where f.status = 'completed'
      union all
      select 'totals', (select coalesce(sum(value::integer), 0)::text from jsonb_each_text(f.totals)),
        f.received_lines::text, false
      where f.is_dropped and f.status = 'completed'
      union all
      select case when f.is_dropped then 'dropped_lines' else 'received_lines' end,
        case when f.is_dropped then '0' else f.received_lines::text end,
        (select coalesce(sum(lines), 0)::text from counted where feed_id = f.id), false
      union all
      select 'lines_passed_over', '0',
        (select coalesce(sum(done), 0)::text from counted where feed_id = f.id and result is null), false
    ) as d
    where d.stored is distinct from d.actual
    order by f.id, d.field`,
  repair: 'counts again; not where lines are missing, were passed over or were dropped',
  async rewrite(tx, brandId, feedIds) {
    // In a separate statement, so that the next one sees what workers did until they let the feeds go.
    await tx.run(
      statement<{ id: number }>(
        'lock_feeds',
        `select id from stock_feeds
         where brand_id = $1 and id = any($2::bigint[])
         order by id
         for no key update`,
        [brandId, feedIds],
      ),
    );
    await tx.run(
      statement(
        'rewrite_feed_totals',
        `update stock_feeds f
         set next_line = case f.status when 'completed' then f.received_lines else f.next_line end,
           totals = case when f.lines_dropped_at is not null then f.totals else coalesce((
             select jsonb_object_agg(t.result, t.lines) from (
               select l.result, count(*) as lines from stock_feed_lines l
               where l.brand_id = f.brand_id and l.feed_id = f.id and l.result is not null
               group by l.result
             ) as t
           ), '{}') end
         where f.brand_id = $1 and f.id = any($2::bigint[])`,
        [brandId, feedIds],
      ),
    );
  },
};

export const feedInvariants: readonly MainInvariant[] = [totals];
