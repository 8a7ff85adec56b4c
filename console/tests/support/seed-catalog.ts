import assert from 'node:assert/strict';
import type { TestApps } from '../../../server/test/support/test-apps.ts';
import { waitFor } from '../../../server/test/support/wait-for.ts';

export interface SeededCatalog {
  readonly brandId: number;
  /** Sends a write of the client API and returns its body. */
  write(path: string, body: object): Promise<Record<string, never>>;
  change(path: string, body: object): Promise<void>;
  delete(path: string): Promise<void>;
  addLocations(codes: readonly string[]): Promise<void>;
  /** Creates a product with two axes and all their variants, active. Returns its id and those of the variants by SKU. */
  addParent(
    sku: string,
    colors: number,
    sizes: number,
  ): Promise<{ id: string; variants: Map<string, string> }>;
  /** Sends a feed and waits until it is applied. */
  feed(batchId: string, lines: readonly object[]): Promise<void>;
}

/** Milliseconds for the largest feed on a busy machine. */
const feedLimitMs = 60_000;

const scopes = [
  ...['catalog.products:write', 'catalog.axes:write', 'catalog.variants:write'],
  ...['catalog.stock:write', 'catalog.stock:ingest', 'catalog.products:read'],
];

/** Creates a brand and a key that may write its whole catalog. */
export async function seedCatalog(
  { admin, clientWith }: TestApps,
  name: string,
  settings: object = {},
): Promise<SeededCatalog> {
  const { json: brand } = await admin.post('/brands', { name, settings });
  const { json: key } = await admin.post(`/brands/${brand.id}/keys`, { name: 'PIM', scopes });
  const client = clientWith(key.api_key);

  const write: SeededCatalog['write'] = async (path, body) => {
    const sent = await client.create(`/catalog${path}`, body);
    assert.ok(sent.status < 300, sent.text);
    return sent.json;
  };

  return {
    brandId: brand.id,
    write,
    change: async (path, body) => {
      const sent = await client.patch(`/catalog${path}`, body);
      assert.equal(sent.status, 200, sent.text);
    },
    delete: async (path) => assert.equal((await client.delete(`/catalog${path}`)).status, 204),
    addLocations: async (codes) => {
      for (const code of codes) await write('/stock/locations', { external_code: code });
    },
    addParent: async (sku, colors, sizes) => {
      const axes = [];
      for (const [code, count] of Object.entries({ color: colors, size: sizes })) {
        const values = Array.from({ length: count }, (_, index) => ({
          value: `${code}-${index}`,
          label: `${code} ${index}`,
          position: index,
        }));
        await write('/axes', { code: `${sku}.${code}`, label: code, values });
        axes.push({ code: `${sku}.${code}`, values: values.map(({ value }) => value) });
      }
      const product = { sku, title: `Title of ${sku}`, is_active: true, price_value: 19.5 };
      const { tu_id: id } = await write('/products', product);
      assert.equal((await client.put(`/catalog/products/${id}/axes`, { axes })).status, 200);
      const template = { activate: true, sku_template: `{sku}-{${sku}.color}-{${sku}.size}` };
      const { variants } = await write(`/products/${id}/variants/generate`, template);
      const made = variants as unknown as { sku: string; tu_id: string }[];
      return { id: id as unknown as string, variants: new Map(made.map((each) => [each.sku, each.tu_id])) };
    },
    feed: async (batchId, lines) => {
      const body = { source: 'ERP', mode: 'snapshot', lines };
      const sent = await client.post('/catalog/stock/feeds', body, { 'idempotency-key': batchId });
      assert.equal(sent.status, 202, sent.text);
      const isDone = async () => {
        const { json } = await admin.get(`/brands/${brand.id}/feeds/${sent.json.feed_id}`);
        return json.finished_at;
      };
      await waitFor(`the end of ${batchId}`, isDone, feedLimitMs);
    },
  };
}

/** Creates simple products without stock in the database itself: more than a test has time to send. */
export async function insertProducts({ sql }: TestApps, brandId: number, count: number): Promise<void> {
  await sql(
    `with claimed as (
       insert into sku_claims (brand_id, sku, kind, tu_id)
       select $1, 'MANY-' || lpad(n::text, 6, '0'), 'product', 'many-' || n from generate_series(1, $2) n
       returning sku, tu_id
     ), made as (
       insert into products (brand_id, tu_id, sku, type, title, default_language, versions, price_value,
         price_currency, tax_class, is_active, created_at, updated_at)
       select $1, tu_id, sku, 'simple', 'Product ' || sku, 'en', '{}', 1, 'EUR', 'standard', true, now(), now()
       from claimed
       returning id
     ), counted as (
       insert into brand_catalogs (brand_id, version, changed_at, products_total, products_active)
       values ($1, 1, now(), $2, $2)
       on conflict (brand_id) do update set version = brand_catalogs.version + 1, changed_at = now(),
         products_total = brand_catalogs.products_total + $2, products_active = brand_catalogs.products_active + $2
     )
     insert into product_stock (brand_id, product_id) select $1, id from made`,
    [brandId, count],
  );
}
