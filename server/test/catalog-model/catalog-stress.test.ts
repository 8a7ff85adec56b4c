// processes, alone: feeds, adjustments and generations compete for the same products
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyBrandFeeds } from '../../src/catalog/feeds/apply-feeds.ts';
import type { ApiResponse } from '../support/api-client.ts';
import { createTestApps } from '../support/test-apps.ts';
import { assertDoctorFindsNothing } from './assert-doctor-finds-nothing.ts';

const apps = await createTestApps();

const productCount = 3;
const writesEach = 25;
const colours = ['red', 'green', 'blue', 'black'];

test('feeds, adjustments, generations, price changes and toggles on the same products never fail for a client', async () => {
  const { client, brandId } = await apps.newBrand();
  await client.post('/catalog/axes', { code: 'colour', values: colours.map((value) => ({ value })) });
  for (const code of ['one', 'two']) await client.post('/catalog/stock/locations', { external_code: code });
  const products: { tuId: string; sku: string }[] = [];
  for (let i = 0; i < productCount; i += 1) {
    const { json } = await client.create('/catalog/products', { sku: `p${i}`, price_value: 10 });
    await client.put(`/catalog/products/${json.tu_id}/axes`, { axes: [{ code: 'colour', values: ['red'] }] });
    await client.create(`/catalog/products/${json.tu_id}/variants/generate`, { activate: true });
    products.push({ tuId: json.tu_id, sku: `p${i}` });
  }
  const product = (i: number) => products[i % productCount] as (typeof products)[number];
  const variantOf = async (i: number) => {
    const { json } = await client.get(`/catalog/products/${product(i).tuId}/variants`);
    return json.data[i % json.data.length].tu_id as string;
  };

  const writers: ((i: number) => Promise<ApiResponse>)[] = [
    async (i) => {
      const path = `/catalog/products/${product(i).tuId}/stock/adjust`;
      return client.create(path, { variant: await variantOf(i), location: 'one', quantity: i });
    },
    async (i) => {
      const path = `/catalog/products/${product(i + 1).tuId}/stock/adjust`;
      return client.create(path, { variant: await variantOf(i + 1), location: 'two', quantity: 1000 - i });
    },
    (i) => {
      const lines = products
        .flatMap(({ sku }) => colours.map((colour) => ({ sku: `${sku}-${colour}` })))
        .map(({ sku }, n) => ({
          sku,
          location_code: n % 2 === 0 ? 'one' : 'two',
          quantity: i * 7 + n,
          reserved: n,
        }));
      const ordered = i % 2 === 0 ? lines : lines.toReversed();
      return client.create('/catalog/stock/feeds', { source: 'wms', mode: 'snapshot', lines: ordered });
    },
    (i) => client.patch(`/catalog/products/${product(i).tuId}`, { price_value: i, is_active: i % 3 === 0 }),
    async (i) => client.patch(`/catalog/variants/${await variantOf(i)}`, { is_active: i % 2 === 0 }),
    (i) => {
      const values = colours.slice(0, 1 + (i % colours.length));
      return client.put(`/catalog/products/${product(i).tuId}/axes`, { axes: [{ code: 'colour', values }] });
    },
    (i) => client.create(`/catalog/products/${product(i).tuId}/variants/generate`, { activate: i % 2 === 0 }),
    (i) => client.patch('/catalog/stock/locations/two', { is_active: i % 2 === 0 }),
  ];

  let isWriting = true;
  const observer = {
    feedFinished: () => {},
    chunkFailed: (_feed: string, error: unknown) => {
      throw error;
    },
  };
  const workers = [1, 2].map(async () => {
    while (
      isWriting ||
      (await applyBrandFeeds(apps.context, observer, brandId, { sliceMs: 500 })) !== 'finished'
    )
      await applyBrandFeeds(apps.context, observer, brandId, { sliceMs: 500 });
  });
  const answers = await Promise.all(
    writers.map(async (write) => {
      const statuses: number[] = [];
      for (let i = 0; i < writesEach; i += 1) {
        const answer = await write(i);
        // 422: a live variant uses the value to remove. These writes cannot get a 409.
        assert.ok([200, 201, 202, 422].includes(answer.status), `${answer.status} ${answer.text}`);
        statuses.push(answer.status);
      }
      return statuses;
    }),
  );
  isWriting = false;
  await Promise.all(workers);
  assert.equal(answers.flat().length, writers.length * writesEach);

  const [ledger] = await apps.sql<{ levels: number; wrong: number }>(
    `select count(*) as levels, count(*) filter (where l.quantity <> m.total) as wrong
     from stock_levels l
     cross join lateral (
       select coalesce(sum(m.delta), 0) as total from stock_movements m
       where m.brand_id = l.brand_id and m.level_id = l.id
     ) m
     where l.brand_id = $1`,
    [brandId],
  );
  assert.ok((ledger?.levels ?? 0) > 0);
  assert.equal(ledger?.wrong, 0);
  await assertDoctorFindsNothing(apps.address);
});
