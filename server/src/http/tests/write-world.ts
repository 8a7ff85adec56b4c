import fc from 'fast-check';
import type { ApiClient } from '../../../test/support/api-client.ts';
import type { TestApps } from '../../../test/support/test-apps.ts';
import { adjusted, newLocation } from '../../catalog/stock/tests/stock.ts';
import { type Axes, newAxes, newVariant, ok, selecting } from '../../catalog/tests/new-axes.ts';

/** A brand with the things that requests are about. Two worlds behave alike. */
export interface World {
  readonly brandId: number;
  readonly client: ApiClient;
  readonly apiKey: string;
  /** The id of each product and variant. */
  readonly ids: Readonly<Record<string, string>>;
}

const sizes = ['s', 'm', 'l', 'xl'];

/** `parent` has variants, of which nobody deletes `kept`; `simple` has neither axes nor variants, `bare` no variants yet. */
export async function newWorld(apps: TestApps): Promise<World> {
  const { client, brandId, apiKey } = await apps.newBrand();
  await newAxes(client, { size: sizes, color: ['red', 'blue'] });
  for (const code of ['WH', 'L1']) await newLocation(client, code);
  const newProduct = async (sku: string, axes: Axes) => {
    const { tu_id } = await ok(client.create('/catalog/products', { sku, price_value: 7 }), 201);
    await ok(client.put(`/catalog/products/${tu_id}/axes`, selecting(axes)));
    return tu_id;
  };
  const parent = await newProduct('P0', { size: sizes });
  const newSize = async (sku: string, size: string) => {
    return (await newVariant(client, parent, { sku, axis_values: { size }, is_active: size > 's' })).tu_id;
  };
  const ids = {
    parent,
    simple: await newProduct('P1', {}),
    bare: await newProduct('P2', { size: sizes }),
    first: await newSize('V0', 's'),
    second: await newSize('V1', 'm'),
    kept: await newSize('V2', 'xl'),
    unknown: 'unknownunknownunknown',
  };
  await adjusted(client, ids.simple, { location: 'WH', quantity: 1 });
  await adjusted(client, parent, { variant: ids.first, location: 'WH', quantity: 1 });
  return { brandId, client, apiKey, ids };
}

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

/** Few names, so that requests meet. Each operation uses of it what it has. */
const spec = fc.record({
  product: fc.constantFrom('parent', 'parent', 'simple', 'simple', 'bare', 'unknown'),
  variant: fc.constantFrom('first', 'first', 'second', 'kept', 'unknown'),
  sku: fc.constantFrom('P0', 'P1', 'V1', 'N0', 'N1', 'N2'),
  axis: fc.constantFrom('size', 'color', 'new', 'other'),
  value: fc.constantFrom('s', 'm', 'l', 'red', 'xl'),
  values: fc.uniqueArray(fc.constantFrom(...sizes, 'red'), { minLength: 1, maxLength: 5 }),
  location: fc.constantFrom('WH', 'WH', 'WH', 'L1', 'L2', '__default__'),
  quantity: fc.integer({ min: 0, max: 3 }),
  /** Selects among fields. */
  pick: fc.nat(1_000),
});
type Spec = typeof spec extends fc.Arbitrary<infer T> ? T : never;

const productFields: readonly object[] = [
  {},
  { title: 'A' },
  { is_active: true },
  { is_active: false, price_value: 12.3456, price_currency: 'SEK' },
  { default_language: 'de', versions: { de: { title: 'Hemd \u00df \u{1f455}' }, en: { title: 'Shirt' } } },
  { versions: { de: { title: 'A' }, DE: { title: 'B' } } },
  { title: '\\ "quoted" \u2028', short_description: '', tax_class: 'reduced' },
];
const variantFields: readonly object[] = [
  {},
  { barcode: '1' },
  { price: { value: 12.5 } },
  { price: null },
  { is_active: true },
  { is_active: false, price: { value: 7 } },
];
const axisFields: readonly object[] = [
  {},
  { label: 'A' },
  { label: null },
  { position: 0 },
  { position: 5, is_active: false },
];
const placeFields: readonly object[] = [
  {},
  { name: 'A' },
  { name: 'B' },
  { is_active: false },
  { is_active: true },
];

const one = (of: readonly object[], { pick }: Spec) => of[pick % of.length] as object;

/**
 * An adjustment reads without the lock of the catalog whether a product has variants: of one that gets its first at the same
 * time, both orders are right. `simple`, which is adjusted, never gets any; `bare`, which does, is not adjusted.
 */
const withAxes = ({ product }: Spec) => (product === 'simple' ? 'bare' : product);

const operations: Record<string, (spec: Spec, ids: World['ids']) => Sent> = {
  createProduct: (s) => ({
    method: 'POST',
    path: '/products',
    body: { sku: s.sku, ...one(productFields, s) },
  }),
  updateProduct: (s, ids) => ({
    method: 'PATCH',
    path: `/products/${ids[s.product]}`,
    body: one(productFields, s),
  }),
  renameProduct: (s, ids) => ({
    method: 'PATCH',
    path: `/products/${ids[s.product]}`,
    body: { sku: s.sku, ...one(productFields, s) },
  }),
  createVariant: (s, ids) => ({
    method: 'POST',
    path: `/products/${ids[withAxes(s)]}/variants`,
    body: { sku: s.sku, axis_values: { size: s.value }, ...one(variantFields, s) },
  }),
  updateVariant: (s, ids) => ({
    method: 'PATCH',
    path: `/variants/${ids[s.variant]}`,
    body: { ...one(variantFields, s), ...(s.quantity === 0 && { sku: s.sku }) },
  }),
  deleteVariant: (s, ids) => ({
    method: 'DELETE',
    path: `/variants/${ids[s.variant === 'kept' ? 'first' : s.variant]}`,
  }),
  generateVariants: (s, ids) => ({
    method: 'POST',
    path: `/products/${ids[withAxes(s)]}/variants/generate`,
    body: { sku_template: `${s.sku}-{size}`, activate: s.quantity > 1, dry_run: s.quantity === 0 },
  }),
  createAxis: (s) => ({
    method: 'POST',
    path: '/axes',
    body: { code: s.axis, ...one(axisFields.slice(0, 4), s), values: [{ value: 'x' }, { value: s.value }] },
  }),
  updateAxis: (s) => ({ method: 'PATCH', path: `/axes/${s.axis}`, body: one(axisFields, s) }),
  deleteAxis: (s) => ({ method: 'DELETE', path: `/axes/${s.axis}` }),
  createAxisValue: (s) => ({
    method: 'POST',
    path: `/axes/${s.axis}/values`,
    body: { value: s.value, ...one(axisFields.slice(0, 4), s) },
  }),
  updateAxisValue: (s) => ({
    method: 'PATCH',
    path: `/axes/${s.axis}/values/${s.value}`,
    body: one(axisFields, s),
  }),
  deleteAxisValue: (s) => ({ method: 'DELETE', path: `/axes/${s.axis}/values/${s.value}` }),
  replaceProductAxes: (s, ids) => ({
    method: 'PUT',
    path: `/products/${ids[withAxes(s)]}/axes`,
    body: { axes: [{ code: s.pick % 4 === 0 ? s.axis : 'size', values: s.values }] },
  }),
  createStockLocation: (s) => ({
    method: 'POST',
    path: '/stock/locations',
    body: { external_code: s.location, ...one(placeFields, s) },
  }),
  updateStockLocation: (s) => ({
    method: 'PATCH',
    path: `/stock/locations/${s.location}`,
    body: one(placeFields, s),
  }),
  adjustStock: (s, ids) => ({
    method: 'POST',
    path: `/products/${ids[s.product === 'bare' ? 'simple' : s.product]}/stock/adjust`,
    body: {
      ...((s.product === 'parent') !== (s.pick % 9 === 0) && { variant: ids[s.variant] }),
      ...(s.pick % 5 > 0 && { location: s.location }),
      quantity: s.quantity,
      ...(s.pick % 3 === 0 && { expected_quantity: s.pick % 4 }),
    },
  }),
};

/** A request of a round, and its Idempotency-Key. */
export interface Request {
  readonly operation: string;
  readonly key: string;
  readonly of: (world: World) => Sent;
}

function requestOf(names: readonly string[]): fc.Arbitrary<Request> {
  const key = fc.integer({ min: 0, max: 60 }).map((n) => `key-${n}`);
  return fc
    .record({ operation: fc.constantFrom(...names), key, spec })
    .map(({ operation, key: given, spec: names }) => ({
      operation,
      key: given,
      of: (world: World) => (operations[operation] as (typeof operations)[string])(names, world.ids),
      [fc.toStringMethod]: () => JSON.stringify({ operation, key: given, ...names }),
    }));
}

export const request = requestOf(Object.keys(operations));

/** One that may share a transaction, mostly. */
export const sharingRequest = requestOf([
  ...['createProduct', 'createProduct', 'createProduct', 'updateProduct', 'updateProduct', 'updateProduct'],
  ...['adjustStock', 'adjustStock', 'adjustStock', 'adjustStock', 'adjustStock', 'renameProduct'],
]);

export const isDryRun = ({ body }: Sent) => body !== undefined && Reflect.get(body, 'dry_run') === true;

const differing = `'{id,brand_id,tu_id,product_id,variant_id,axis_id,value_id,location_id,level_id,combination,key_id,request_id,
  created_at,updated_at,deleted_at,source_updated_at,own_fresh_at,variant_fresh_at,changed_at,version,axes_version,note}'::text[]`;

const states: Readonly<Record<string, string>> = {
  products: `select to_jsonb(t) - ${differing} as row, to_jsonb(s) - ${differing} as stock, c.kind,
      t.updated_at <= k.changed_at as is_kept, t.created_at <= t.updated_at as is_in_order,
      count(*) over (partition by t.updated_at) as stamped_alike
    from products t join product_stock s on s.brand_id = t.brand_id and s.product_id = t.id
    join brand_catalogs k on k.brand_id = t.brand_id
    left join sku_claims c on c.brand_id = t.brand_id and c.sku = t.sku and c.tu_id = t.tu_id
    where t.brand_id = $1 order by t.sku`,
  variants: `select to_jsonb(t) - ${differing} as row, p.sku as of_product, c.kind, t.deleted_at is not null as is_deleted,
      t.updated_at <= p.updated_at as is_kept,
      (select string_agg(a.code || '=' || w.value, ' ' order by a.code)
       from variant_axis_values x join axes a on a.brand_id = x.brand_id and a.id = x.axis_id
       join axis_values w on w.brand_id = x.brand_id and w.id = x.value_id
       where x.brand_id = t.brand_id and x.variant_id = t.id) as carried
    from variants t join products p on p.brand_id = t.brand_id and p.id = t.product_id
    left join sku_claims c on c.brand_id = t.brand_id and c.sku = t.sku and c.tu_id = t.tu_id
    where t.brand_id = $1 order by t.sku`,
  axes: `select to_jsonb(t) - ${differing} as row, t.created_at <= t.updated_at as is_in_order
    from axes t where t.brand_id = $1 order by t.code`,
  values: `select to_jsonb(t) - ${differing} as row, a.code
    from axis_values t join axes a on a.brand_id = t.brand_id and a.id = t.axis_id
    where t.brand_id = $1 order by a.code, t.value`,
  selections: `select p.sku, a.code, to_jsonb(t) - ${differing} as row,
      (select array_agg(w.value order by w.value) from product_axis_values x
       join axis_values w on w.brand_id = x.brand_id and w.id = x.value_id
       where x.brand_id = t.brand_id and x.product_id = t.product_id and x.axis_id = t.axis_id) as selected
    from product_axes t join products p on p.brand_id = t.brand_id and p.id = t.product_id
    join axes a on a.brand_id = t.brand_id and a.id = t.axis_id
    where t.brand_id = $1 order by p.sku, a.code`,
  locations: `select to_jsonb(t) - ${differing} as row, t.created_at <= t.updated_at as is_in_order
    from stock_locations t where t.brand_id = $1 order by t.external_code`,
  levels: `select to_jsonb(t) - ${differing} as row from stock_levels t where t.brand_id = $1 order by t.sku, t.location_code`,
  movements: `select to_jsonb(t) - ${differing} as row, l.sku, l.location_code
    from stock_movements t join stock_levels l on l.brand_id = t.brand_id and l.id = t.level_id
    where t.brand_id = $1 order by l.sku, l.location_code, t.id`,
  catalogs: `select to_jsonb(t) - ${differing} as row, (select count(*) from sku_claims c where c.brand_id = t.brand_id) as claims
    from brand_catalogs t where t.brand_id = $1`,
  changes: `select count(distinct (p.sku, v.sku, l.location_code)) as levels, max(c.version) = max(s.version) as is_kept
    from stock_changes c join brand_stocks s on s.brand_id = c.brand_id
    join lateral unnest(c.level_ids) u (id) on true
    join stock_levels l on l.brand_id = c.brand_id and l.id = u.id
    join products p on p.brand_id = l.brand_id and p.id = l.product_id
    left join variants v on v.brand_id = l.brand_id and v.id = l.variant_id
    where c.brand_id = $1`,
  records: `select idempotency_key, status from idempotency_records
    where brand_id = $1 and idempotency_key like 'key-%' order by 1`,
};

/** Returns the rows of the brand, without ids and times, which differ between two worlds. */
export async function stateOf(apps: TestApps, { brandId }: World): Promise<Record<string, unknown>> {
  const rows = Object.entries(states).map(async ([name, text]) => [name, await apps.sql(text, [brandId])]);
  return Object.fromEntries(await Promise.all(rows));
}
