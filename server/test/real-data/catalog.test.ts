// nightly: a published catalog with its inventory, sent twice
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { listAll } from '../../src/analytics/tests/pull-rows.ts';
import { assertDoctorFindsNothing } from '../catalog-model/assert-doctor-finds-nothing.ts';
import type { ApiResponse } from '../support/api-client.ts';
import { createTestApps, type TestBrand } from '../support/test-apps.ts';
import { waitFor } from '../support/wait-for.ts';
import { readSunrise } from './sunrise.ts';

const apps = await createTestApps({ runsJobs: true });
const { axes, parents, inventory } = await readSunrise();
const variantSkus = new Set(parents.flatMap(({ variants }) => variants.map(({ sku }) => sku)));
const location = 'sunrise';
const feedPath = '/catalog/stock/feeds';

interface Sent {
  readonly path: string;
  readonly key: string;
  readonly body: object;
  readonly answer: ApiResponse;
}

/** Returns what the feed has to leave: the last line of a SKU counts, and unknown SKUs have no level. */
function modelOf() {
  const last = new Map(inventory.map(({ sku }, index) => [sku, index]));
  const results = inventory.map(({ sku }, index) => {
    if (last.get(sku) !== index) return 'superseded';
    return variantSkus.has(sku) ? 'applied' : 'unknown_sku';
  });
  const levels = new Map(
    inventory.filter(({ sku }) => variantSkus.has(sku)).map(({ sku, quantity }) => [sku, quantity]),
  );
  return { results, levels };
}

describe('the published catalog of commercetools Sunrise', () => {
  let brand: TestBrand;
  const sent: Sent[] = [];
  /** SKU of a product or variant -> its id. */
  const ids = new Map<string, string>();
  const { results, levels } = modelOf();
  const feed = {
    source: 'sunrise',
    mode: 'snapshot',
    lines: inventory.map((line) => ({ ...line, location_code: location })),
  };
  let feedId = '';

  const post = (path: string, key: string, body: object) =>
    brand.client.post(path, body, { 'idempotency-key': key });
  async function create(path: string, key: string, body: object): Promise<ApiResponse> {
    const answer = await post(path, key, body);
    assert.equal(answer.status, 201, answer.text);
    sent.push({ path, key, body, answer });
    return answer;
  }
  const counts = () =>
    apps.sql(
      `select (select count(*) from products) as products, (select count(*) from variants) as variants,
         (select count(*) from axes) as axes, (select count(*) from stock_locations) as locations,
         (select count(*) from stock_feeds) as feeds, (select count(*) from stock_levels) as levels,
         (select count(*) from stock_movements) as movements`,
    );

  before(async () => {
    brand = await apps.newBrand();
    await create('/catalog/stock/locations', 'location', { external_code: location });
    for (const axis of axes) await create('/catalog/axes', `axis-${axis.code}`, axis);
    for (const { body, choice, variants } of parents) {
      const { json: product } = await create('/catalog/products', `product-${body.sku}`, body);
      ids.set(body.sku, product.tu_id);
      const path = `/catalog/products/${product.tu_id}`;
      const selected = await brand.client.put(`${path}/axes`, { axes: choice });
      assert.equal(selected.status, 200, selected.text);
      for (const { sku, axis_values, price } of variants) {
        const variant = {
          sku,
          axis_values,
          is_active: true,
          ...(price !== null && { price: { value: price } }),
        };
        const { json } = await create(`${path}/variants`, `variant-${sku}`, variant);
        ids.set(sku, json.tu_id);
      }
    }
    const submitted = await post(feedPath, 'inventory', feed);
    assert.equal(submitted.status, 202, submitted.text);
    assert.equal(submitted.json.received_lines, inventory.length);
    feedId = submitted.json.feed_id;
    await waitFor(
      'the feed',
      async () => (await brand.client.get(`${feedPath}/${feedId}`)).json.status === 'completed',
      300_000,
    );
  });

  it('is served as it was sent, to the character', async () => {
    assert.ok(parents.length >= 8);
    for (const { body, choice, variants } of parents) {
      const { json } = await brand.client.get(`/catalog/products/${ids.get(body.sku)}`);
      assert.deepEqual(part(json, body), body);
      assert.deepEqual(
        json.axes.map(({ code, values }: (typeof choice)[number]) => ({
          code,
          values: values.map((value) => (value as unknown as { value: string }).value),
        })),
        choice,
      );
      const expected = variants.map(({ sku, axis_values, price }) => ({
        tu_id: ids.get(sku),
        sku,
        axis_values,
        price: { value: price ?? body.price_value, currency: body.price_currency, inherited: price === null },
      }));
      assert.deepEqual(
        json.variants.map((variant: object) => part(variant, expected[0] as object)),
        expected,
      );
      const known = variants.map(({ sku }) => levels.get(sku)).filter((quantity) => quantity !== undefined);
      assert.equal(
        json.stock_summary.total_quantity,
        known.reduce((sum, quantity) => sum + quantity, 0),
        body.sku,
      );
    }
  });

  it('is listed once, by pages of any size', async () => {
    const bySku = new Map(parents.map(({ body }) => [body.sku, body]));
    for (const [perPage, sort] of [
      [200, 'sku'],
      [7, '-updated_at'],
      [1, 'created_at'],
    ] as const) {
      const query = { per_page: String(perPage), sort };
      const listed = await listAll(brand.client, '/catalog/products', query);
      assert.deepEqual(listed.map(({ sku }) => sku).sort(), [...bySku.keys()].sort());
      for (const item of listed) {
        const { versions: _, ...body } = bySku.get(item.sku) as (typeof parents)[number]['body'];
        assert.deepEqual(part(item, body), body);
        assert.equal(item.tu_id, ids.get(item.sku));
      }
    }
  });

  it('has a result for each line of the inventory', async () => {
    const expected = inventory.map(({ sku }, index) => ({
      sku,
      location_code: location,
      result: results[index],
    }));
    const served: object[] = [];
    for (let page = 1; served.length < expected.length; page++) {
      const { json } = await brand.client.get(`${feedPath}/${feedId}?per_page=500&page=${page}`);
      assert.ok(json.lines.data.length > 0);
      served.push(...json.lines.data.map((line: object) => part(line, expected[0] as object)));
    }
    assert.deepEqual(served, expected);
    assert.ok(results.includes('applied') && results.includes('unknown_sku'));
    const { json } = await brand.client.get(`${feedPath}/${feedId}`);
    for (const result of new Set(results))
      assert.equal(json.totals[result], results.filter((one) => one === result).length, result);
  });

  it('has the levels of the inventory, and no others', async () => {
    const served = await listAll(brand.client, '/catalog/stock/levels', { per_page: '200' });
    assert.equal(served.length, levels.size);
    assert.deepEqual(new Map(served.map(({ sku, quantity }) => [sku, quantity])), levels);
    for (const level of served) {
      assert.equal(level.variant_tu_id, ids.get(level.sku));
      assert.equal(level.location, location);
      assert.equal(level.available, level.quantity);
    }
  });

  it('is answered with the same bytes when it is sent again, and nothing is created', async () => {
    const stored = await counts();
    for (const { path, key, body, answer } of sent) {
      const again = await post(path, key, body);
      assert.equal(again.status, answer.status);
      assert.equal(again.text, answer.text);
      assert.equal(again.headers['content-type'], answer.headers['content-type']);
      assert.equal(again.headers['idempotency-replayed'], 'true', key);
    }
    const again = await post(feedPath, 'inventory', feed);
    assert.equal(again.status, 200);
    assert.equal(again.json.feed_id, feedId);
    assert.deepEqual(await counts(), stored);
  });

  it('gives the doctor nothing to find', () => assertDoctorFindsNothing(apps.address));
});

/** The fields that `like` has. */
function part(whole: object, like: object): object {
  return Object.fromEntries(Object.keys(like).map((name) => [name, whole[name as keyof object]]));
}
