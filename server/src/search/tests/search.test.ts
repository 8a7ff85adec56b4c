import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { newAdministrator } from '../../access/administrators/tests/new-administrator.ts';
import { sendFeed } from '../../catalog/feeds/tests/feeds.ts';
import { ok } from '../../catalog/tests/new-axes.ts';

const apps = await createTestApps();
const { admin, newBrand, sql } = apps;
const [one, two] = [await newBrand({ name: 'Élan Söhne' }), await newBrand({ name: 'Other' })];

interface Found {
  readonly kind: string;
  readonly id: string;
  readonly title: string;
  readonly brand_id: number | null;
}

async function search(q: string, by = admin): Promise<Found[]> {
  return (await ok(by.get(`/search?q=${encodeURIComponent(q)}`))).data;
}

const found = async (q: string, by = admin) => (await search(q, by)).map(({ kind, id }) => `${kind} ${id}`);

// [internal-202]
describe('the search', () => {
  it('refuses what is only spaces', async () => {
    for (const q of ['%20%20', '%09', '+'])
      assertRefused(await apps.admin.get(`/search?q=${q}`), 'validation_failed', ['q']);
  });

  it('finds a request by an id of any form, also a short one', async () => {
    const headers = { 'x-request-id': 'abc' };
    await one.client.get('/catalog/products/none', headers);
    await apps.keyUsage.flush();
    const [request, ...others] = await search('abc');
    assert.deepEqual(others, []);
    assert.deepEqual(
      [request?.kind, request?.title, request?.brand_id],
      ['request', 'GET /v1/client/catalog/products/none 404', one.brandId],
    );
    await two.client.get('/catalog/products/none', headers);
    await apps.keyUsage.flush();
    assert.deepEqual((await search('abc'))[0]?.brand_id, null);
  });

  it('finds a feed by its id and its batch id, a job, a key, a learner and a product by id and SKUs', async () => {
    const product = await ok(one.client.create('/catalog/products', { sku: 'SKU 1', title: 'Mug' }), 201);
    const { feed_id } = (
      await sendFeed(one.client, [{ sku: 'X', location_code: 'L', quantity: 1 }], 'batch-2026')
    ).json;
    await ok(admin.put(`/brands/${one.brandId}/users`, { items: [{ tu_id: 'learner_1' }] }));
    const [job] = await sql<{ id: string }>(
      `select id::text from pgboss.job where name like '%feed%' limit 1`,
    );
    assert.deepEqual(await found('batch-2026'), [`feed ${feed_id}`]);
    assert.deepEqual(await found(feed_id), [`feed ${feed_id}`]);
    assert.deepEqual(await found('SKU 1'), [`product ${product.tu_id}`]);
    assert.deepEqual(await found(product.tu_id), [`product ${product.tu_id}`]);
    assert.deepEqual(await found('learner_1'), ['learner learner_1']);
    assert.deepEqual(await found(one.keyId), [`key ${one.keyId}`]);
    assert.deepEqual(await found(one.keyId.slice(0, 14)), [`key ${one.keyId}`]);
    assert.deepEqual(await found(String(job?.id)), [`job ${job?.id}`]);
    assert.deepEqual(await found(` ${job?.id} `), [`job ${job?.id}`]);
  });

  it('finds brands, keys and administrators by a part of their name, ids first, at most 20', async () => {
    const { id } = await newAdministrator(apps, 'support', null, { name: 'ADA söhne' });
    await ok(
      admin.post(`/brands/${two.brandId}/keys`, { name: 'Söhne', scopes: ['catalog.stock:read'] }),
      201,
    );
    const kinds = (await search('SÖHNE')).map(({ kind, title }) => [kind, title]);
    assert.deepEqual(kinds, [
      ['brand', 'Élan Söhne'],
      ['key', 'Söhne'],
      ['administrator', 'ADA söhne'],
    ]);
    assert.deepEqual(await found(id), [`administrator ${id}`]);
    assert.ok((await found(String(one.brandId))).includes(`brand ${one.brandId}`));
    for (let n = 0; n < 25; n += 1) await admin.post('/brands', { name: `many ${n}` });
    assert.equal((await search('many')).length, 10);
    assert.deepEqual(await found('%'), []);
  });

  it('shows a caller its brands only, and no administrators', async () => {
    const { client } = await newAdministrator(apps, 'operator', [two.brandId], { name: 'Only other' });
    assert.deepEqual(await found('batch-2026', client), []);
    assert.deepEqual(await found('SKU 1', client), []);
    assert.deepEqual(await found(one.keyId, client), []);
    assert.deepEqual(await found('other', client), [`brand ${two.brandId}`]);
    assert.deepEqual(
      (await search('söhne', client)).map(({ kind }) => kind),
      ['key'],
    );
  });

  it('suggests brands of the caller with nearly this name, if it finds nothing', async () => {
    const names = ['Sunrise', 'Polymaker Europe', 'The Terminal', 'Terminus'];
    const ids = new Map<string, number>();
    for (const name of names) ids.set(name, (await newBrand({ name })).brandId);
    const similar = async (q: string, by = admin) => {
      const body = await ok(by.get(`/search?q=${encodeURIComponent(q)}`));
      return body.similar.map(({ title }: Found) => title);
    };
    assert.deepEqual(await similar('sunrize'), ['Sunrise']);
    assert.deepEqual(await similar(' Polimaker '), ['Polymaker Europe']);
    assert.deepEqual(await similar('terminl'), ['The Terminal', 'Terminus']);
    assert.deepEqual(await similar('sunrise'), []);
    for (const nothing of ['sun', 'zzzzzzzz', 'x'.repeat(255), '%%%%%%%%'])
      assert.deepEqual(await similar(nothing), [], nothing);
    const reach = [ids.get('The Terminal') ?? 0, two.brandId];
    const { client } = await newAdministrator(apps, 'operator', reach, { name: 'Of two' });
    assert.deepEqual(await similar('sunrize', client), []);
    assert.deepEqual(await similar('terminl', client), ['The Terminal']);
    assert.deepEqual((await ok(admin.get('/search?q=sunrize'))).similar, [
      {
        kind: 'brand',
        id: String(ids.get('Sunrise')),
        title: 'Sunrise',
        brand_id: ids.get('Sunrise'),
        brand_name: 'Sunrise',
      },
    ]);
  });

  for (const q of ['', '%00', 'x'.repeat(256)])
    it(`refuses ${JSON.stringify(q.slice(0, 5))}`, async () =>
      assertRefused(await admin.get(`/search?q=${q}`), 'validation_failed', ['q']));
});
