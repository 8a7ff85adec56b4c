// soak: random mixes of writes, compared with one by one
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { SetOperationKit, type World } from '../../../../test/support/writes/set-operation-kit.ts';
import type { SetOperation } from '../../../api/operation.ts';
import { assertStockTrue } from '../../stock/tests/stock.ts';
import { newAxes, newParent, newVariant } from '../../tests/new-axes.ts';
import { createVariantOperation } from '../routes/create-variant.ts';
import { deleteVariantOperation } from '../routes/delete-variant.ts';
import { generateVariantsOperation } from '../routes/generate-variants.ts';
import { updateVariantOperation } from '../routes/update-variant.ts';

const apps = await createTestApps();

/** Few, so that several requests name the same ones. */
const spec = fc.record({
  /** The first product has the variants V0 to V2, the second none; the third does not exist. */
  product: fc.integer({ min: 0, max: 2 }),
  variant: fc.integer({ min: 0, max: 3 }),
  sku: fc.constantFrom('A', 'B', 'C', 'D', 'V0'),
  size: fc.constantFrom('s', 'm', 'l', 'xl', 'unknown'),
  fields: fc.constantFrom<object[]>(
    {},
    { barcode: '1' },
    { price: { value: 12.5 } },
    { price: null },
    { is_active: true },
    { is_active: false, price: { value: 7 } },
  ),
  isRenamed: fc.boolean(),
});
type Spec = typeof spec extends fc.Arbitrary<infer T> ? T : never;
type Ids = { readonly products: readonly string[]; readonly variants: readonly string[] };
type Request = (spec: Spec, ids: Ids) => ReturnType<World<Spec>['requestOf']>;
const unknownId = 'unknownunknownunknown';

async function newWorld(requestOf: Request): Promise<World<Spec>> {
  const { client, brandId } = await apps.newBrand();
  await newAxes(client, { size: ['s', 'm', 'l', 'xl'] });
  const products: string[] = [];
  for (let n = 0; n < 2; n += 1)
    products.push((await newParent(client, { size: ['s', 'm', 'l', 'xl'] })).tu_id);
  const variants: string[] = [];
  for (const [n, size] of ['s', 'm', 'l'].entries()) {
    const body = { sku: `V${n}`, axis_values: { size }, is_active: n > 0 };
    variants.push((await newVariant(client, products[0] as string, body)).tu_id);
  }
  return {
    brandId,
    requestOf: (given) => requestOf(given, { products, variants }),
    state: () =>
      Promise.all([
        apps.sql(
          `select v.sku, v.barcode, v.price_value, v.is_active, v.position, v.deleted_at is not null as is_deleted,
             string_agg(w.value, ',') as carried, row_number() over (order by v.id) as place,
             c.tu_id = v.tu_id as has_claim
           from variants v
           left join variant_axis_values x on x.brand_id = v.brand_id and x.variant_id = v.id
           left join axis_values w on w.brand_id = x.brand_id and w.id = x.value_id
           left join sku_claims c on c.brand_id = v.brand_id and c.sku = v.sku
           where v.brand_id = $1 group by v.brand_id, v.id, c.tu_id order by v.id`,
          [brandId],
        ),
        apps.sql(
          `select p.live_variants, p.active_variants, p.inheriting_variants, p.own_price_min, p.own_price_max,
             p.has_variants, p.updated_at >= (select max(v.updated_at) from variants v where v.product_id = p.id)
               as is_stamped
           from products p where p.brand_id = $1 order by p.id`,
          [brandId],
        ),
        apps.sql(
          `select products_with_variants, products_active_with_variants,
             changed_at >= (select max(updated_at) from products p where p.brand_id = c.brand_id) as is_kept,
             (select count(*)::integer from sku_claims s where s.brand_id = c.brand_id) as claims
           from brand_catalogs c where brand_id = $1`,
          [brandId],
        ),
      ]),
  };
}

const operations: Record<string, [SetOperation, Request]> = {
  creations: [
    createVariantOperation,
    ({ product, sku, size, fields }, { products }) => ({
      params: { tuId: products[product] ?? unknownId },
      body: { sku, axis_values: { size }, ...fields },
    }),
  ],
  changes: [
    updateVariantOperation,
    ({ variant, sku, fields, isRenamed }, { variants }) => ({
      params: { tuId: variants[variant] ?? unknownId },
      body: { ...fields, ...(isRenamed && { sku }) },
    }),
  ],
  generations: [
    generateVariantsOperation,
    ({ product, sku, fields }, { products }) => ({
      params: { tuId: products[product] ?? unknownId },
      body: { sku_template: `${sku}-{size}`, activate: 'is_active' in fields },
    }),
  ],
  deletions: [
    deleteVariantOperation,
    ({ variant }, { variants }) => ({ params: { tuId: variants[variant] ?? unknownId }, body: {} }),
  ],
};

async function check(): Promise<void> {
  await assertStockTrue(apps);
  const wrong = await apps.sql(
    `select p.id from products p
     join product_variant_truth t on t.brand_id = p.brand_id and t.product_id = p.id
     where (p.live_variants, p.active_variants, p.inheriting_variants)
         <> (t.live_variants, t.active_variants, t.inheriting_variants)
       or p.own_price_min is distinct from t.own_price_min or p.own_price_max is distinct from t.own_price_max`,
  );
  assert.deepEqual(wrong, []);
}

const withoutIds = ({ tu_id, product_tu_id, created_at, updated_at, ...variant }: Record<string, unknown>) =>
  variant;

const kitOf = ([operation, requestOf]: readonly [SetOperation, Request]) =>
  new SetOperationKit<Spec>({
    apps,
    operation,
    spec,
    check,
    numRuns: 8,
    newWorld: () => newWorld(requestOf),
    comparable: ({ variants, ...body }) => ({
      ...withoutIds(body),
      variants: (variants as Record<string, unknown>[] | undefined)?.map(withoutIds),
    }),
  });

const plain = { product: 1, variant: 0, fields: { barcode: '2' }, isRenamed: false } as const;
const aMix: readonly Spec[] = [
  { ...plain, sku: 'A', size: 's' },
  { ...plain, sku: 'A', size: 'm' },
  { ...plain, sku: 'B', size: 's', variant: 1 },
  { ...plain, sku: 'C', size: 'l', variant: 1 },
  { ...plain, sku: 'V0', size: 'xl' },
  { ...plain, sku: 'D', size: 'unknown', variant: 3 },
];

for (const [name, operation] of Object.entries(operations)) {
  const kit = kitOf(operation);
  describe(`${name} of variants that are sent together`, () => {
    it('end as they do one by one, in any mix', () => kit.assertTogetherIsApart());

    // The others never share a transaction.
    if (name === 'creations' || name === 'changes')
      it('run one by one after an error', () =>
        kit.assertFailureHarmsNobody(aMix, async () => {
          throw new Error('on purpose');
        }));
  });
}

describe('creations of variants that share a transaction', () => {
  it('refuse what is taken, also by an earlier one', async () => {
    const [operation, requestOf] = operations['creations'] as [SetOperation, Request];
    const results = await kitOf([operation, requestOf]).together(await newWorld(requestOf), aMix);
    assert.deepEqual(
      results.map((result) => ('code' in result ? result.code : JSON.parse(result.response.body).position)),
      [0, 'duplicate_sku', 'conflict', 1, 'duplicate_sku', 'validation_failed'],
    );
  });
});
