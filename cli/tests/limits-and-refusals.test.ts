import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { type CliBrand, startCliService } from './cli-service.ts';

const { apps, newCliBrand } = await startCliService();
after(() => apps.clientApp.close());

const brandOf = ({ brandId }: CliBrand) => ['--brand', String(brandId)];

describe('brandport limits, refusals and request', () => {
  it('list refused requests with their reason, and look one up', async () => {
    const brand = await newCliBrand();
    const { json: key } = await apps.admin.post(`/brands/${brand.brandId}/keys`, {
      name: 'K',
      scopes: ['catalog.stock:read'],
    });
    const client = apps.clientWith(key.api_key);
    const { headers } = await client.get('/catalog/products');
    await apps.admin.post(`/keys/${key.key_id}/revoke`);
    for (let n = 0; n < 2; n += 1) await client.get('/catalog/status');
    await apps.keyUsage.flush();
    const rows = await brand.json('requests', 'list', '--key', key.key_id, ...brandOf(brand));
    assert.deepEqual(
      rows.map(({ status, reason, count }: Record<string, unknown>) => [status, reason, count]),
      [
        [401, 'revoked', 2],
        [403, null, 1],
      ],
    );
    const { stdout } = await brand.cli(['requests', 'list', '--status', '403', ...brandOf(brand)]);
    assert.match(stdout, /insufficient_scope.*listProducts/);
    assert.equal((await brand.cli(['requests', 'list', '--key', 'x', ...brandOf(brand)])).code, 2);
    const requestId = String(headers['x-request-id']);
    const found = await brand.cli(['requests', 'show', requestId]);
    assert.match(found.stdout, /refusal.*status=403 code=insufficient_scope/);
    assert.equal((await brand.json('requests', 'show', requestId))[0].kind, 'refusal');
    assert.equal((await brand.cli(['requests', 'show', 'never'])).code, 1);
    assert.equal((await brand.cli(['requests', 'show', 'a/b'])).code, 2);
  });

  it('list the limits of a brand, from all pages', async () => {
    const brand = await newCliBrand();
    const scopes = ['catalog.products:read'];
    for (let n = 0; n < 67; n += 1)
      await apps.admin.post(`/brands/${brand.brandId}/keys`, { name: `K${n}`, scopes });
    const buckets = await brand.json('limits', ...brandOf(brand));
    assert.equal(buckets[0].bucket, 'catalog_brand');
    const { json } = await apps.admin.get(`/brands/${brand.brandId}/limits`);
    assert.ok(json.meta.total > 200);
    const distinct = new Set(
      buckets.map(({ bucket, key_id }: Record<string, unknown>) => `${bucket} ${key_id}`),
    );
    assert.deepEqual([buckets.length, distinct.size], [json.meta.total, json.meta.total]);
  });

  it('set the limits of a key and of the brand, and give the configured ones back', async () => {
    const brand = await newCliBrand();
    const { json: key } = await apps.admin.post(`/brands/${brand.brandId}/keys`, {
      name: 'Import',
      scopes: ['catalog.products:write'],
    });
    const ofKey = ['--key', key.key_id];
    const until = '2099-01-01T06:00:00Z';
    const set = await brand.json('limits', 'set', ...ofKey, '--catalog-writes', '6000', '--until', until);
    assert.deepEqual(
      set.filter(({ own }: { own: boolean }) => own).map((one: object) => Object.values(one).slice(0, 5)),
      [['catalog_writes', key.key_id, 6_000, true, '2099-01-01T06:00:00.000Z']],
    );
    await brand.json('limits', 'set', '--catalog', '9000', ...brandOf(brand));
    const { stdout } = await brand.cli(['limits', ...brandOf(brand)]);
    assert.match(stdout, /catalog_brand.* 9000 .*own/);
    const high = await brand.cli(['limits', 'set', ...ofKey, '--catalog-writes', '9001']);
    assert.match(
      high.stderr,
      /^warning: catalog_writes of the key tuk_\w+: 9001 a minute is more than the 9000 /m,
    );
    assert.equal((await brand.cli(['limits', 'reset', ...ofKey])).code, 0);
    assert.equal((await brand.cli(['limits', 'reset', ...brandOf(brand)])).code, 0);
    const left = await brand.json('limits', ...brandOf(brand));
    assert.ok(left.every(({ own }: { own: boolean }) => !own));
    for (const wrong of [[], ['--catalog', '5'], ['--catalog-writes', 'x']])
      assert.equal((await brand.cli(['limits', 'set', ...ofKey, ...wrong])).code, 2, wrong.join(' '));
    const past = await brand.cli([
      'limits',
      'set',
      ...ofKey,
      '--analytics',
      '5',
      '--until',
      '2020-01-01T00:00:00Z',
    ]);
    assert.deepEqual([past.code, /until: /.test(past.stderr)], [3, true]);
  });
});
