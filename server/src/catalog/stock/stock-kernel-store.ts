/**
 * The kinds of sets that a kernel is built for: one change, changes of distinct levels of one brand (`distinct`) or of any
 * brands (`spread`), or any changes. Each kind omits what it does not need, since starting a statement of this size costs
 * more than running it.
 */
export type ChangeSet = 'one' | 'distinct' | 'spread' | 'any';

/**
 * Returns the only SQL that decides and writes changes of stock: common table expressions that follow `found`, which
 * names the changes and their places, and end in `decided`, with a row for each change that has an outcome. Adjustments
 * (`change-stock-store.ts`) and feeds (`feed-chunk-store.ts`) differ in the parts before and after. With `any` the
 * statement begins with `with recursive`.
 *
 * `found` has one row for each change:
 * - `n`, its position in the set, and `brand_id`;
 * - `problem`, why it names no place, or null; `product_id`, `variant_id` (null: the product's own stock),
 *   `location_id`, `sku` and `location_code` of the place;
 * - `location_counts`, whether the location is active; `variant_counts`, whether the variant is (null without one);
 * - `level_place` (its ctid), `level_id`, `level_quantity`, `level_reserved`, `level_at` and `level_from_feed` of the
 *   level, null if there is none;
 * - `stock_place` and `stock_version`: ctid and `xmin` of the product's row of `product_stock`; `location_version`:
 *   `xmin` of the location;
 * - the change: `quantity`, `reserved` (null: keep), `expected_quantity` (null: any), `fed_at` (null: changed now, by
 *   hand), `note`;
 * - its origin: `key_id` and `request_id`, or `feed_id` and `feed_line` [D119].
 *
 * Further columns pass through to `decided`.
 *
 * Locks, in this order, held to the commit: the locations at which a level is created, by id (for key share: a change
 * of `is_active` either sees the level or is seen); `product_stock`, by brand and product id; the brand's stock version.
 *
 * The statement reads before it locks. Every writer that changes a level of a product, or whether one counts, also
 * writes the product's row of `product_stock`. So the update of this row, which waits for such writers, is the lock and
 * the proof: it finds the row with the `xmin` that was read only if everything that was read is current. Otherwise
 * nothing is written for the product and the change is not in `decided`; the same statement decides it in a second
 * run, since the lock is then held. Locking the rows before they are updated would cost each change another look-up and
 * another record in the write-ahead log.
 *
 * A refusal (`conflict`, `stale`) needs no lock: it was true when the statement began, as if the change had come before
 * the writers that it did not wait for.
 *
 * A difference cannot determine how fresh a product is when a feed writes a level that was set by hand, because that
 * level may have been the last one that kept the product from becoming stale. Such changes are `is_unsettled`: their
 * products need `refreshProductStock`.
 *
 * With `waits` false the statement waits for none of these locks but the last: a change whose location or product
 * another transaction has locked is not in `decided`.
 *
 * Rows are found by index or by their place in the table, and no two sets are joined row by row: the cost is linear
 * regardless of the planner's estimates.
 */
export function stockKernel(set: ChangeSet, { waits = true }: { readonly waits?: boolean } = {}): string {
  const isSet = set !== 'one';
  const kept = `select f.*, ${isSet ? '(select now_ms())' : 'now_ms()'} as now
    from (
      select f.* from found f
      where f.problem is null and f.stock_place is not null
      ${isSet ? 'order by f.brand_id, f.location_id, f.n' : ''}
      offset 0
    ) f
    left join lateral (
      select o.xmin as version from stock_locations o
      where o.brand_id = f.brand_id and o.id = f.location_id and f.level_id is null
      offset 0
      for key share of o ${waits ? '' : 'skip locked'}
    ) as o on true
    ${waits ? '' : freeStock}
    where o.version is not distinct from case when f.level_id is null then f.location_version end
      ${waits ? '' : 'and s.is_free'}
    offset 0`;
  return `${set === 'any' ? proposedInTurns(kept) : proposedOnce(kept)},
  ${levelDifferences(isSet)},
  ${isSet ? `${productDifferences},` : ''}
  -- Waits for other writers of a product, and then writes only the row that was read.
  rolled as (
    update product_stock s
    set total_quantity = s.total_quantity + d.quantity,
      total_reserved = s.total_reserved + d.reserved,
      own_levels = s.own_levels + d.own_levels,
      own_counted_levels = s.own_counted_levels + d.own_counted_levels,
      own_available = s.own_available + d.own_available,
      own_fresh_at = greatest(s.own_fresh_at, d.own_fresh_at),
      variant_levels = s.variant_levels + d.variant_levels,
      variant_counted_levels = s.variant_counted_levels + d.variant_counted_levels,
      variant_available = s.variant_available + d.variant_available,
      variant_fresh_at = greatest(s.variant_fresh_at, d.variant_fresh_at)
    from ${isSet ? 'product_differences' : 'level_differences'} d
    where s.ctid = d.stock_place and s.brand_id = d.brand_id and s.xmin = d.stock_version
    returning s.brand_id, s.product_id
  ),
  ${set === 'any' ? decidedInTurns : decidedOnce(set === 'one')},
  updated as (
    update stock_levels l
    set quantity = f.quantity_after, reserved = f.reserved_after, source_updated_at = f.at_after,
      is_from_feed = f.from_feed_after, updated_at = f.written_at
    from written f
    where l.ctid = f.level_place and l.brand_id = f.brand_id
  ),
  inserted as (
    insert into stock_levels (brand_id, id, product_id, variant_id, location_id, sku, location_code, quantity, reserved,
      source_updated_at, is_from_feed, updated_at)
    overriding system value
    select f.brand_id, f.id_after, f.product_id, f.variant_id, f.location_id, f.sku, f.location_code, f.quantity_after,
      f.reserved_after, f.at_after, f.from_feed_after, f.written_at
    from written f
    where f.level_id is null
  ),
  moved as (
    insert into stock_movements (brand_id, id, level_id, product_id, variant_id, sku, location_code, quantity_before,
      quantity_after, reason, note, key_id, request_id, feed_id, feed_line, created_at)
    overriding system value
    select d.brand_id, d.movement_id, d.id_after, d.product_id, d.variant_id, d.sku, d.location_code, d.quantity_before,
      d.quantity_after, case when d.fed_at is null then 'manual' else 'feed' end, d.note, d.key_id, d.request_id, d.feed_id,
      d.feed_line, d.written_at
    from decided d
    where d.movement_id is not null
  )`;
}

/** Finds whether the product's row is as it was read and no other transaction has locked it; locks it then. */
const freeStock = `left join lateral (
      select true as is_free from product_stock s
      where s.ctid = f.stock_place and s.brand_id = f.brand_id and s.xmin = f.stock_version
      offset 0
      for no key update of s skip locked
    ) as s on true`;

/** The amounts by which each written level changes the rollup of its product. */
const levelDifferences = (isSet: boolean) => `level_differences as ${isSet ? 'materialized' : ''} (
    select f.brand_id, f.product_id, f.stock_place, f.stock_version,
      f.quantity_after::bigint - coalesce(f.level_quantity, 0) as quantity,
      f.reserved_after::bigint - coalesce(f.level_reserved, 0) as reserved,
      case when own then is_new else 0 end as own_levels,
      case when own and f.location_counts then is_new else 0 end as own_counted_levels,
      case when own and f.location_counts then available else 0 end as own_available,
      case when own and f.location_counts then fresh_at end as own_fresh_at,
      case when f.variant_counts then is_new else 0 end as variant_levels,
      case when f.variant_counts and f.location_counts then is_new else 0 end as variant_counted_levels,
      case when f.variant_counts and f.location_counts then available else 0 end as variant_available,
      case when f.variant_counts and f.location_counts then fresh_at end as variant_fresh_at
    from last f
    cross join lateral (
      select f.variant_id is null as own, (f.level_id is null)::integer as is_new,
        case when f.from_feed_after then f.at_after else 'infinity' end as fresh_at,
        greatest(f.quantity_after - f.reserved_after, 0)
          - greatest(coalesce(f.level_quantity, 0) - coalesce(f.level_reserved, 0), 0)::bigint as available
    ) as x
  )`;

const productDifferences = `product_differences as materialized (
    select c.brand_id, c.product_id, c.stock_place, c.stock_version, sum(c.quantity) as quantity, sum(c.reserved) as reserved,
      sum(c.own_levels) as own_levels, sum(c.own_counted_levels) as own_counted_levels,
      sum(c.own_available) as own_available, max(c.own_fresh_at) as own_fresh_at,
      sum(c.variant_levels) as variant_levels, sum(c.variant_counted_levels) as variant_counted_levels,
      sum(c.variant_available) as variant_available, max(c.variant_fresh_at) as variant_fresh_at
    from level_differences c
    group by c.brand_id, c.product_id, c.stock_place, c.stock_version
    -- The order of the locks.
    order by c.brand_id, c.product_id
  )`;

/** The columns with the state of a level. */
type LevelColumns = Readonly<Record<'id' | 'quantity' | 'reserved' | 'at' | 'fromFeed', string>>;

/**
 * Returns the SQL that decides a change `t` on the state of its level, whose columns are null if there is no level. A
 * change that is not written leaves the state as it is. Ids of new rows are drawn here, so that a movement can name its
 * new level.
 *
 * A level that was last set by hand cannot be dated ahead of now unless this server's clock was set back; the change
 * then uses the level's time.
 */
function decide({ id, quantity, reserved, at, fromFeed }: LevelColumns): string {
  return `cross join lateral (
      select coalesce(t.fed_at, case when ${fromFeed} then t.now else greatest(t.now, ${at}) end) as at
    ) as a
    cross join lateral (
      select case
        when coalesce(${quantity}, 0) <> t.expected_quantity then 'conflict'
        when a.at < ${at} then 'stale'
        when ${quantity} = t.quantity and ${reserved} = coalesce(t.reserved, ${reserved}) then 'unchanged'
        else 'applied'
      end as outcome
    ) as o
    cross join lateral (
      select o.outcome, w.is_written, coalesce(${quantity}, 0) as quantity_before,
        case when w.is_written then coalesce(${id}, nextval('stock_levels_id_seq')) else ${id} end as id_after,
        case when w.is_written then t.quantity else ${quantity} end as quantity_after,
        case when w.is_written then coalesce(t.reserved, ${reserved}, 0) else ${reserved} end as reserved_after,
        case when w.is_written then a.at else ${at} end as at_after,
        case when w.is_written then t.fed_at is not null else ${fromFeed} end as from_feed_after,
        case when t.fed_at is null then a.at else t.now end as written_at,
        case when w.is_written and t.quantity <> coalesce(${quantity}, 0) then nextval('stock_movements_id_seq') end
          as movement_id,
        w.is_written and t.fed_at is not null and t.level_from_feed is false as is_unsettled
      from (select o.outcome in ('applied', 'unchanged') as is_written offset 0) as w
    ) as d`;
}

const onStoredLevel = decide({
  id: 't.level_id',
  quantity: 't.level_quantity',
  reserved: 't.level_reserved',
  at: 't.level_at',
  fromFeed: 't.level_from_feed',
});

const onChangeBefore = decide({
  id: 'p.id_after',
  quantity: 'p.quantity_after',
  reserved: 'p.reserved_after',
  at: 'p.at_after',
  fromFeed: 'p.from_feed_after',
});

/** `last` is the last written change of each level. */
const proposedOnce = (kept: string) => `proposed as materialized (
    select t.*, d.* from (${kept}) t ${onStoredLevel}
  ),
  last as not materialized (select p.* from proposed p where p.is_written)`;

/**
 * Changes to one level are decided one after the other, in the order of `n`, each based on the result of the one
 * before.
 */
const proposedInTurns = (kept: string) => `turned as materialized (
    select p.*, row_number() over level as turn, min(p.n) over level as slot
    from (${kept}) p
    window level as (partition by p.brand_id, p.product_id, p.variant_id, p.location_id order by p.n)
  ),
  later as materialized (select t.* from turned t where t.turn > 1),
  proposed as (
    select t.*, d.* from turned t ${onStoredLevel} where t.turn = 1
    union all
    select t.*, d.* from proposed p join later t on t.slot = p.slot and t.turn = p.turn + 1 ${onChangeBefore}
  ),
  last as materialized (
    select distinct on (p.slot) p.* from proposed p where p.is_written order by p.slot, p.turn desc
  )`;

// A condition in a disjunction is a look-up in a hash table, regardless of the planner's estimates; a join is not.
const isRolled = '(p.brand_id, p.product_id) in (select r.brand_id, r.product_id from rolled r)';

const decidedOnce = (isOne: boolean) => `decided as materialized (
    select p.* from proposed p where not p.is_written or ${isOne ? 'exists (select from rolled)' : isRolled}
  ),
  written as not materialized (select d.* from decided d where d.is_written)`;

const decidedInTurns = `decided as materialized (select p.* from proposed p where not p.is_written or ${isRolled}),
  written as materialized (select p.* from last p where not p.is_written or ${isRolled})`;
