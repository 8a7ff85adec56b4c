import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused, writtenSoFar } from '../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { type Scope, scopes } from '../../api/access.ts';
import { clientDomains } from '../operations.ts';

// Walks all operations of the client API: one that is added is tested here with its line below.

const apps = await createTestApps();
const { brandId } = await apps.newBrand();

/** The scopes of which a key needs one; none: any key. */
const needed: Readonly<Record<string, readonly Scope[]>> = {
  getCatalogStatus: [],
  listProducts: ['catalog.products:read'],
  createProduct: ['catalog.products:write'],
  getProduct: ['catalog.products:read'],
  updateProduct: ['catalog.products:write'],
  listAxes: ['catalog.products:read'],
  createAxis: ['catalog.axes:write'],
  updateAxis: ['catalog.axes:write'],
  deleteAxis: ['catalog.axes:write'],
  createAxisValue: ['catalog.axes:write'],
  updateAxisValue: ['catalog.axes:write'],
  deleteAxisValue: ['catalog.axes:write'],
  getProductAxes: ['catalog.products:read'],
  replaceProductAxes: ['catalog.variants:write'],
  listVariants: ['catalog.products:read'],
  createVariant: ['catalog.variants:write'],
  generateVariants: ['catalog.variants:write'],
  updateVariant: ['catalog.variants:write'],
  deleteVariant: ['catalog.variants:write'],
  listStockLocations: ['catalog.stock:read'],
  createStockLocation: ['catalog.stock:write'],
  updateStockLocation: ['catalog.stock:write'],
  listStockLevels: ['catalog.stock:read'],
  getProductStock: ['catalog.stock:read'],
  listStockMovements: ['catalog.stock:read'],
  adjustStock: ['catalog.stock:write'],
  submitStockFeed: ['catalog.stock:ingest'],
  getStockFeedReport: ['catalog.stock:read', 'catalog.stock:ingest'],
  getAnalyticsStatus: [],
  listDailyMetrics: ['analytics.metrics:read'],
  listContentMetrics: ['analytics.metrics:read'],
  listUserDays: ['analytics.users:read'],
  listUserContents: ['analytics.users:read'],
};

const clientOf = async (held: readonly Scope[]) => (await apps.newKey(brandId, held)).client;

// [platform-7] [platform-8] [analytics-2]
describe('the scopes of a key', () => {
  for (const { domain, head, operations } of clientDomains)
    for (const { id, method, path } of operations) {
      const url = `/${domain}${path.replaceAll(/:\w+/g, 'none')}`;
      const methods = method === 'GET' && head ? ['GET', 'HEAD'] : [method];
      // A wrong body and a wrong query, which are looked at after the scope.
      const send = (client: typeof apps.anonymous, sent: string) =>
        client.request(sent, method === 'GET' ? `${url}?page=x&from=x` : url, {
          headers: { 'idempotency-key': 'scopes' },
          ...(method !== 'GET' && method !== 'DELETE' && { body: { axis_values: 7 } }),
        });

      it(`decide about ${id}`, async () => {
        const one = needed[id] ?? assert.fail(`say above which scopes ${id} needs`);
        const before = await writtenSoFar(apps);
        const lacking = await clientOf(scopes.filter((scope) => !one.includes(scope)));
        for (const sent of methods) {
          const anonymous = await send(apps.anonymous, sent);
          assert.equal(anonymous.status, 401);
          const { status, text, json } = await send(lacking, sent);
          assert.equal(status === 403, one.length > 0, text);
          if (sent === 'HEAD') assert.equal(text, '');
          else if (one.length > 0) {
            assertRefused({ status, text, json }, 'insufficient_scope');
            assert.ok(json.message.includes(one.join(' or ')), json.message);
          }
          for (const scope of one) {
            const allowed = await send(await clientOf([scope]), sent);
            assert.ok(![401, 403].includes(allowed.status), allowed.text);
          }
        }
        assert.deepEqual(await writtenSoFar(apps), before);
      });
    }
});
