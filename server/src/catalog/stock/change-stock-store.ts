import { isClaimed } from '../../access/idempotency/shared-keys-store.ts';
import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { defaultLocationCode } from './location.ts';
import type { StockChange, StockChangeResult, StockOutcome } from './stock-change.ts';
import { stockKernel } from './stock-kernel-store.ts';

/** A result, or the reason why the change could not be decided yet. */
export interface StockPass extends Omit<StockChangeResult, 'outcome'> {
  readonly outcome: StockOutcome | 'moved' | 'no_default_location' | 'no_product_stock';
  readonly productId: number | null;
  /** True if the product's rollup still needs a refresh: see `stockKernel`. */
  readonly isUnsettled: boolean;
}

interface Row {
  n: number;
  outcome: StockPass['outcome'];
  product_id: number | null;
  location_found: boolean;
  sku: string | null;
  location_code: string;
  quantity_before: number | null;
  reserved: number | null;
  written_at: Date | null;
  movement_id: number | null;
  is_unsettled: boolean;
}

/**
 * Decides and writes the changes in one statement (`stockKernel`) and returns one result for each, in their order. A change that
 * could not be decided has written nothing: `moved`, because its product changed before it was locked;
 * `no_product_stock`, because it has no row of `product_stock`; `no_default_location`, because the brand's default
 * location has to be created first. In the last case the statement neither locks nor writes anything, so that the
 * location can be created before a product is locked.
 */
export function passStockChanges(tx: Transaction, changes: readonly StockChange[]): Promise<StockPass[]> {
  return runPass(tx, changes, waiting);
}

/**
 * Like `passStockChanges`, for the changes of requests that share a transaction, in their order [D91]. Ignores changes of
 * requests whose Idempotency-Key is not locked, which have no result. Does not wait for the lock of a location or of a
 * product: a change that would have to is `moved`. A missing default location concerns only the change that needs it.
 */
export function tryStockChanges(
  tx: Transaction,
  changes: readonly StockChange[],
): Promise<(StockPass | undefined)[]> {
  return runPass(tx, changes, trying);
}

async function runPass(
  tx: Transaction,
  changes: readonly StockChange[],
  statements: ChangeStatements,
): Promise<StockPass[]> {
  const [first] = changes;
  if (first === undefined) return [];
  const rows = await tx.run(
    changes.length === 1 ? changeOne(first, statements) : changeSet(changes, statements),
  );
  const results: StockPass[] = [];
  for (const row of rows)
    results[row.n] = {
      outcome: row.outcome,
      productId: row.product_id,
      isLocationFound: row.location_found,
      sku: row.sku ?? '',
      location: row.location_code,
      quantityBefore: row.quantity_before ?? 0,
      reserved: row.reserved ?? 0,
      writtenAt: row.written_at,
      movementId: row.movement_id,
      isUnsettled: row.is_unsettled,
    };
  return results;
}

function changeOne(change: StockChange, { ofProduct, ofVariant }: ChangeStatements) {
  const {
    brandId,
    productTuId,
    variantTuId,
    location,
    quantity,
    reserved,
    expectedQuantity,
    fedAt,
    note,
    origin,
  } = change;
  const place = [brandId, productTuId, variantTuId, location ?? defaultLocationCode, location === null];
  const by = [origin?.keyId ?? null, origin?.requestId ?? null];
  const values = [...place, quantity, reserved, expectedQuantity, fedAt, note, ...by];
  return variantTuId === null
    ? statement<Row>(ofProduct.name, ofProduct.text, values)
    : statement<Row>(ofVariant.name, ofVariant.text, values);
}

function changeSet(changes: readonly StockChange[], { ofSpread, ofSet }: ChangeStatements) {
  const { name, text } = areOfDistinctLevels(changes) ? ofSpread : ofSet;
  const rows = changes.map((change, n) => ({
    n,
    brand_id: change.brandId,
    product: change.productTuId,
    variant: change.variantTuId,
    location: change.location ?? defaultLocationCode,
    is_default: change.location === null,
    quantity: change.quantity,
    reserved: change.reserved,
    expected: change.expectedQuantity,
    fed_at: change.fedAt,
    note: change.note,
    key_id: change.origin?.keyId ?? null,
    request_id: change.origin?.requestId ?? null,
    kind: 'change',
  }));
  return statement<Row>(name, text, [JSON.stringify(rows)]);
}

/** Returns whether no two changes name the same level: a level has one product, variant and location, each with one name. */
function areOfDistinctLevels(changes: readonly StockChange[]): boolean {
  const levels = new Set(
    changes.map(({ brandId, productTuId, variantTuId, location }) =>
      JSON.stringify([brandId, productTuId, variantTuId, location ?? defaultLocationCode]),
    ),
  );
  return levels.size === changes.length;
}

const oneChange = `select 0 as n, $1::integer as brand_id, $2::text as product, $3::text as variant, $4::text as location,
    $5::boolean as is_default, $6::integer as quantity, $7::integer as reserved, $8::integer as expected,
    $9::timestamptz as fed_at, $10::text as note, $11::text as key_id, $12::text as request_id`;

// The condition is true for every row. The planner estimates that it is true for one row in 200, and so looks up every
// place by index.
const setOfChanges = `select c.n, c.brand_id, c.product, c.variant, c.location, c.is_default, c.quantity, c.reserved, c.expected,
    c.fed_at, c.note, c.key_id, c.request_id
  from json_to_recordset($1::json) as c (n integer, brand_id integer, product text, variant text, location text,
    is_default boolean, quantity integer, reserved integer, expected integer, fed_at timestamptz, note text,
    key_id text, request_id text, kind text)
  where c.kind = 'change'`;

// Found by its id alone ("offset 0"): without statistics, a partial index of all live variants would look equally
// cheap.
const variantOfChange = `left join lateral (
      select v.id, v.sku, v.is_active from (
        select v.id, v.sku, v.is_active, v.product_id, v.deleted_at from variants v
        where v.brand_id = c.brand_id and v.tu_id = c.variant
        offset 0
      ) v
      where v.product_id = p.id and v.deleted_at is null
    ) as v on true`;

/**
 * The texts of the statements for one change of a product's own stock, one of a variant's, changes of distinct levels, and
 * any set.
 */
interface ChangeStatements {
  readonly ofProduct: NamedText;
  readonly ofVariant: NamedText;
  readonly ofSpread: NamedText;
  readonly ofSet: NamedText;
}

interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** `waits`: whether the statements wait for locks (`stockKernel`). */
function changeStatements(verb: string, waits: boolean): ChangeStatements {
  const claimed = waits ? 'true' : isClaimed('c.n');
  const one = (of: 'own' | 'variant') => `with changes as (select c.* from (${oneChange}) c where ${claimed}),
    found as materialized (${selectPlaces(of)}), ${stockKernel('one', { waits })} ${selectResults('one')}`;
  const found = waits
    ? `placed as materialized (${selectPlaces('any', 'place_problem')}),
       found as materialized (
         select p.*, coalesce(p.place_problem, case when w.waits then 'moved' end) as problem
         from placed p cross join (select bool_or(place_problem = 'no_default_location') as waits from placed) w
       )`
    : `found as materialized (${selectPlaces('any')})`;
  const set = (kind: 'spread' | 'any') => `changes as materialized (${setOfChanges} and ${claimed}),
    ${found}, ${stockKernel(kind, { waits })} ${selectResults('any')}`;
  return {
    ofProduct: { name: `${verb}_product_stock`, text: one('own') },
    ofVariant: { name: `${verb}_variant_stock`, text: one('variant') },
    ofSpread: { name: `${verb}_distinct_stocks`, text: `with ${set('spread')}` },
    ofSet: { name: `${verb}_stock_set`, text: `with recursive ${set('any')}` },
  };
}

const waiting = changeStatements('change', true);
const trying = changeStatements('try_change', false);

/**
 * Selects the places of `changes`: of products' own stock, of variants, or of either. A statement for only one of them
 * omits the look-ups of the other, which cost an adjustment 30 microseconds.
 */
function selectPlaces(of: 'own' | 'variant' | 'any', problem = 'problem'): string {
  const own = of !== 'variant';
  const variant = of !== 'own';
  const levels = 'select l.ctid as place, l.id, l.quantity, l.reserved, l.source_updated_at, l.is_from_feed';
  return `select c.n, c.brand_id, c.quantity, c.reserved, c.expected as expected_quantity, c.fed_at, c.note, c.key_id,
      c.request_id, null::bigint as feed_id, null::integer as feed_line, c.is_default,
      c.location as location_code, p.id as product_id, ${variant ? 'v.id' : 'null::bigint'} as variant_id,
      ${variant ? 'coalesce(v.sku, p.sku)' : 'p.sku'} as sku, o.id as location_id, o.is_active as location_counts,
      ${variant ? 'v.is_active' : 'null::boolean'} as variant_counts, o.version as location_version,
      s.place as stock_place, s.version as stock_version, l.place as level_place, l.id as level_id, l.quantity as level_quantity,
      l.reserved as level_reserved, l.source_updated_at as level_at, l.is_from_feed as level_from_feed,
      case
        when p.id is null then 'unknown_product'
        ${own ? "when p.has_variants and c.variant is null then 'variant_required'" : ''}
        ${variant ? "when not p.has_variants and c.variant is not null then 'variant_not_allowed'" : ''}
        ${variant ? "when c.variant is not null and v.id is null then 'unknown_variant'" : ''}
        when o.id is null then case when c.is_default then 'no_default_location' else 'unknown_location' end
      end as ${problem}
    from changes c
    left join lateral (
      select p.id, p.sku, p.has_variants from products p where p.brand_id = c.brand_id and p.tu_id = c.product
      offset 0
    ) as p on true
    ${variant ? variantOfChange : ''}
    left join lateral (
      select o.id, o.is_active, o.xmin as version from stock_locations o
      where o.brand_id = c.brand_id and o.external_code = c.location
      offset 0
    ) as o on true
    left join lateral (
      select s.ctid as place, s.xmin as version from product_stock s where s.brand_id = c.brand_id and s.product_id = p.id
      offset 0
    ) as s on true
    -- Two conditions, each supported by the index; "is not distinct from" is not.
    left join lateral (
      ${
        variant
          ? `${levels} from stock_levels l
          where l.brand_id = c.brand_id and l.product_id = p.id and l.variant_id = v.id and l.location_id = o.id`
          : ''
      }
      ${of === 'any' ? 'union all' : ''}
      ${
        own
          ? `${levels} from stock_levels l
          where l.brand_id = c.brand_id and l.product_id = p.id and l.variant_id is null and l.location_id = o.id
            and c.variant is null`
          : ''
      }
    ) as l on true`;
}

function selectResults(set: 'one' | 'any'): string {
  return `select d.n, d.outcome, d.product_id, true as location_found, d.sku, d.location_code, d.quantity_before,
    coalesce(d.reserved_after, 0) as reserved, case when d.is_written then d.written_at end as written_at, d.movement_id,
    d.is_unsettled
  from decided d
  union all
  select f.n, coalesce(f.problem, case when f.stock_place is null then 'no_product_stock' else 'moved' end), f.product_id,
    f.location_id is not null or f.is_default, f.sku, f.location_code, null, null, null, null, false
  from found f
  where ${set === 'one' ? 'not exists (select from decided)' : 'f.n not in (select d.n from decided d)'}`;
}
