import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { smallLimits } from '../../../../test/support/limits.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { ok } from '../../../catalog/tests/new-axes.ts';

interface Use {
  readonly bucket: string;
  readonly key_id: string | null;
  readonly limit: number | null;
  readonly used: number;
  readonly resets_at: string | null;
}

const apps = await createTestApps({ limits: smallLimits });

describe('the limits of a brand', () => {
  // [internal-115]
  it('show what is used by each key and by the brand, and looking counts nothing', async () => {
    const brand = await apps.newBrand();
    const second = await apps.newKey(brand.brandId);
    const url = `/brands/${brand.brandId}/limits`;
    for (const _ of [1, 2]) await ok(brand.client.get('/catalog/products'));
    await ok(second.client.create('/catalog/products', { sku: 'A' }), 201);
    for (const _ of [1, 2, 3]) await apps.admin.get(url);
    const { data, counted_by } = await ok(apps.admin.get(url));
    assert.equal(counted_by, 'process');
    const uses = data.map(({ bucket, key_id, limit, used }: Use) => [bucket, key_id, limit, used]);
    assert.deepEqual(uses, [
      ['catalog_brand', null, 10, 3],
      ['analytics_brand', null, null, 0],
      ['catalog_reads', second.keyId, 3, 0],
      ['catalog_writes', second.keyId, 2, 1],
      ['analytics_key', second.keyId, 5, 0],
      ['catalog_reads', brand.keyId, 3, 2],
      ['catalog_writes', brand.keyId, 2, 0],
      ['analytics_key', brand.keyId, 5, 0],
    ]);
    for (const { used, resets_at } of data as Use[]) {
      assert.equal(resets_at === null, used === 0);
      if (resets_at !== null) assert.ok(Math.abs(Date.parse(resets_at) - Date.now()) <= 60_000);
    }
  });

  it('show a limit that is used up, and not the requests that were denied', async () => {
    const { client, brandId, keyId } = await apps.newBrand();
    const answers = await Promise.all(Array.from({ length: 6 }, () => client.get('/catalog/products')));
    assert.equal(answers.filter(({ status }) => status === 429).length, 3);
    const { data } = await ok(apps.admin.get(`/brands/${brandId}/limits`));
    const use = (data as Use[]).find(({ bucket, key_id }) => bucket === 'catalog_reads' && key_id === keyId);
    assert.deepEqual([use?.used, use?.limit], [3, 3]);
  });

  it('leave out keys that are revoked or expired', async () => {
    const { brandId, keyId } = await apps.newBrand();
    assert.equal((await apps.admin.post(`/keys/${keyId}/revoke`)).status, 200);
    const { data } = await ok(apps.admin.get(`/brands/${brandId}/limits`));
    assert.deepEqual(
      (data as Use[]).map(({ bucket }) => bucket),
      ['catalog_brand', 'analytics_brand'],
    );
  });

  it('are an ordinary list: every page is a part of the whole, with the number of all', async () => {
    const { brandId, keyId } = await apps.newBrand();
    for (let n = 0; n < 4; n += 1) await apps.newKey(brandId);
    const revoked = await apps.newKey(brandId);
    await apps.admin.post(`/keys/${revoked.keyId}/revoke`);
    const url = `/brands/${brandId}/limits`;
    const all = (await ok(apps.admin.get(url))).data as Use[];
    assert.equal(all.length, 17);
    for (let size = 1; size <= 18; size += 1)
      for (let page = 1; page <= Math.ceil(17 / size) + 1; page += 1) {
        const { data, meta } = await ok(apps.admin.get(`${url}?page=${page}&per_page=${size}`));
        assert.deepEqual(data, all.slice((page - 1) * size, page * size), `${page} of ${size}`);
        const last_page = Math.ceil(17 / size);
        assert.deepEqual(meta, { current_page: page, per_page: size, total: 17, last_page });
      }
    const ofKey = all.slice(-3);
    for (const size of [1, 2, 3, 4])
      for (const page of [1, 2, 3, 4]) {
        const list = await ok(apps.admin.get(`${url}?key_id=${keyId}&page=${page}&per_page=${size}`));
        assert.deepEqual(list.data, ofKey.slice((page - 1) * size, page * size));
        assert.equal(list.meta.total, 3);
      }
    const foreign = (await apps.newBrand()).keyId;
    for (const other of [revoked.keyId, foreign, 'x', '']) {
      const { data, meta } = await ok(apps.admin.get(`${url}?key_id=${other}`));
      assert.deepEqual([data, meta.total], [[], 0], other);
    }
    assert.equal((await apps.admin.get(`${url}?page=0`)).status, 422);
    assert.deepEqual((await ok(apps.admin.get(`${url}?page=9007199254740991`))).data, []);
  });

  for (const id of ['999999', '0', 'x'])
    it(`of the brand ${id} are 404`, async () =>
      assertRefused(await apps.admin.get(`/brands/${id}/limits`), 'not_found'));
});
