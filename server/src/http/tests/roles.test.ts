// processes: calls every operation in every role
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiClient } from '../../../test/support/api-client.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { newAdministrator } from '../../access/administrators/tests/new-administrator.ts';
import { type InternalAccess, isInternal } from '../../api/access.ts';
import type { AnyOperation } from '../../api/operation.ts';
import { sendFeed } from '../../catalog/feeds/tests/feeds.ts';
import { internalOperations } from '../operations.ts';

// Walks all operations: one that is added is tested here without another line, unless it names a resource of a new kind.

const apps = await createTestApps();
const { admin } = apps;
const own = await apps.newBrand({ name: 'Own brand' });
const foreign = await apps.newBrand({ name: 'Foreign brand' });
for (const { client } of [own, foreign])
  assert.equal((await sendFeed(client, [{ sku: 'X', location_code: 'WH', quantity: 1 }])).status, 202);
const unknownBrand = 2_147_483_647;
const clients: Record<string, ApiClient> = {
  operator: (await newAdministrator(apps, 'operator', [own.brandId])).client,
  support: (await newAdministrator(apps, 'support', [own.brandId])).client,
  'support of all brands': (await newAdministrator(apps, 'support', null)).client,
  administrator: (await newAdministrator(apps, 'administrator', null)).client,
};

/** Creates a resource of a brand for each path that names one by its own id, and returns that id. */
const resources: Readonly<Record<string, (brandId: number) => Promise<string>>> = {
  '/keys/:key_id': async (brandId) => (await apps.newKey(brandId)).keyId,
  '/feed-tokens/:id': async (brandId) =>
    String((await admin.post(`/brands/${brandId}/feed-tokens`, { name: 'X' })).json.id),
  '/jobs/:id': async (brandId) => {
    const from = '2026-01-01';
    const body = { from, to: '2026-03-31' };
    return (await admin.post(`/brands/${brandId}/aggregations`, body)).json.job_id;
  },
};

function placeOf({ path }: AnyOperation): string {
  return path.split('/').slice(0, 3).join('/');
}

/** Fills the path with a brand or with a resource of the brand; the other parameters name nothing that exists. */
async function pathFor(operation: AnyOperation, brandId: number): Promise<string> {
  const place = placeOf(operation);
  const make = resources[place];
  const start = place === '/brands/:id' ? `/brands/${brandId}` : null;
  if (start === null && typeof operation.access === 'object')
    assert.ok(make, `${operation.id}: say in this test how a ${place} is made`);
  const filled = make === undefined ? start : place.replace(/:\w+/, await make(brandId));
  const rest = operation.path.slice(place.length);
  const parts = { type: 'episode', requestId: 'unknown-request', id: '1' } as Record<string, string>;
  return `${filled ?? place.replace(/:(\w+)/, (_, name) => parts[name] ?? 'none')}${rest.replace(
    /:(\w+)/g,
    (_, name) => parts[name] ?? 'none',
  )}`;
}

async function statusOf(client: ApiClient, operation: AnyOperation, brandId: number): Promise<number> {
  const { method } = operation;
  const body = method === 'GET' || operation.body === undefined ? undefined : { nothing: true };
  const response = await client.request(method, await pathFor(operation, brandId), { body });
  if (response.status === 403) assert.equal(response.json.code, 'forbidden');
  return response.status;
}

interface Expected {
  readonly own: 'passes' | 403;
  readonly foreign: 'passes' | 403 | 404;
}

function expectedOf(role: string, access: InternalAccess, method: string): Expected {
  if (role === 'administrator') return { own: 'passes', foreign: 'passes' };
  if (access === 'administrators') return { own: 403, foreign: 403 };
  if (role.startsWith('support') && method !== 'GET') return { own: 403, foreign: 403 };
  const seesAll = role === 'support of all brands' || access === 'filtered-by-brand';
  return { own: 'passes', foreign: seesAll ? 'passes' : 404 };
}

// [internal-125] [D163]
describe('the roles', () => {
  for (const operation of internalOperations) {
    const { id, access, method } = operation;
    assert.ok(isInternal(access), id);

    for (const [role, client] of Object.entries(clients)) {
      const expected = expectedOf(role, access, method);
      it(`of ${role} decide about ${id}: own brand ${expected.own}, foreign brand ${expected.foreign}`, async () => {
        for (const [brandId, outcome] of [
          [own.brandId, expected.own],
          [foreign.brandId, expected.foreign],
        ] as const) {
          const status = await statusOf(client, operation, brandId);
          if (outcome === 'passes') assert.ok(status !== 403 && status !== 401 && status < 500, `${status}`);
          else assert.equal(status, outcome);
        }
      });
    }

    it(`are looked at before existence by ${id}`, async () => {
      const expected = expectedOf('support', access, method);
      if (expected.own !== 403) return;
      const path = operation.path.replace(':id', String(unknownBrand)).replaceAll(/:\w+/g, 'none');
      const { status } = await (clients['support'] as ApiClient).request(method, path, { body: '{' });
      assert.equal(status, 403);
    });
  }

  it('let a foreign brand look like one that does not exist', async () => {
    for (const role of ['operator', 'support']) {
      const get = (path: string) => (clients[role] as ApiClient).get(path);
      const [one, other] = [await get(`/brands/${foreign.brandId}`), await get(`/brands/${unknownBrand}`)];
      assert.deepEqual(one.json, other.json);
      for (const path of [
        `/brands/0${own.brandId}`,
        `/brands/${own.brandId}.0`,
        '/brands/x',
        '/brands/%31%00',
      ])
        assert.equal((await get(path)).status, 404, path);
    }
  });
});

// [internal-126]
describe('a list across brands', () => {
  const lists = internalOperations.filter(
    ({ access, method, path }) => access === 'filtered-by-brand' && method === 'GET' && !path.includes(':'),
  );

  for (const { id, path } of lists)
    it(`shows operators and support nothing of other brands: ${id}`, async () => {
      await (resources['/jobs/:id'] as (brandId: number) => Promise<string>)(foreign.brandId);
      await foreign.client.get('/catalog/products/none');
      await apps.keyUsage.flush();
      const query = id === 'search' ? 'q=brand' : 'per_page=200';
      const all = await (clients['administrator'] as ApiClient).get(`${path}?${query}`);
      assert.equal(all.status, 200);
      for (const role of ['operator', 'support']) {
        const { status, json, text } = await (clients[role] as ApiClient).get(`${path}?${query}`);
        assert.equal(status, 200);
        assert.ok(!text.includes('Foreign brand') && !text.includes(foreign.keyId), text.slice(0, 300));
        if (id === 'getActivity') {
          const { json: activity } = await admin.get(`/brands/${own.brandId}/activity`);
          assert.deepEqual(json, activity);
          continue;
        }
        const data: Record<string, unknown>[] = Array.isArray(json?.data) ? json.data : [];
        for (const one of data) {
          const brand =
            id === 'listBrands' ? one['id'] : (one['brand_id'] ?? Object(one['data'])['brand_id']);
          assert.equal(brand, own.brandId, JSON.stringify(one));
        }
        if (json?.meta !== undefined)
          assert.ok(json.meta.total < all.json.meta.total, `${json.meta.total} of ${all.json.meta.total}`);
      }
    });

  it('leads from a request to what it wrote in the own brands only', async () => {
    const requestId = 'one-id-for-two-brands';
    for (const { brandId } of [own, foreign])
      await admin.patch(
        `/brands/${brandId}`,
        { settings: { currency: 'USD' } },
        { 'x-request-id': requestId },
      );
    const entries = async (role: string) =>
      (await (clients[role] as ApiClient).get(`/requests/${requestId}`)).json.entries.map(
        (one: { brand_id: number }) => one.brand_id,
      );
    assert.deepEqual(await entries('operator'), [own.brandId]);
    assert.deepEqual(await entries('administrator'), [own.brandId, foreign.brandId]);
    const alone = 'one-id-for-the-foreign-brand';
    await admin.patch(`/brands/${foreign.brandId}`, { name: 'Foreign brand 2' }, { 'x-request-id': alone });
    assert.equal((await (clients['operator'] as ApiClient).get(`/requests/${alone}`)).status, 404);
  });
});
