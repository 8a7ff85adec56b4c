import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused, counterAt } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { unknownNameFinder } from '../../../api/unknown-names.ts';
import { feedNames } from '../feed-body.ts';
import { SubmitStockFeedBody } from '../feed-wire.ts';
import { feedsPath } from './feeds.ts';

const apps = await createTestApps();
const { client, brandId } = await apps.newBrand();
const line = { sku: 'A', location_code: 'L', quantity: 1 };
const strict = { prefer: 'handling=strict' };
let batches = 0;

function feedOf(lines: object[], more: object = {}) {
  return { source: 'erp', mode: 'snapshot', ...more, lines };
}

function post(body: unknown, headers: Record<string, string> = {}) {
  batches += 1;
  return client.post(feedsPath, body, { 'idempotency-key': `names-${batches}`, ...headers });
}

/** Large enough to be read in a thread. */
const manyLines = (count: number, odd: Record<number, object> = {}) =>
  Array.from({ length: count }, (_, index) => ({ ...line, sku: `SKU-${index}`, ...odd[index] }));

describe('the unknown names of a feed', () => {
  it('follow the same tree as the documented schema', () => {
    const body = { source: 1, mode: 1, x: 1, lines: [{ ...line, reserved: 1, updated_at: 1, qty: 1 }] };
    const byTree = unknownNameFinder(feedNames as never)(body, 100);
    assert.deepEqual(byTree, unknownNameFinder(SubmitStockFeedBody)(body, 100));
    assert.deepEqual(
      byTree.map(({ path }) => path),
      ['x', 'lines.0.qty'],
    );
  });

  it('are listed on the acknowledgement, on a replay and on a refusal', async () => {
    const body = feedOf([line, { ...line, qty: 5 }], { warehouse: 'B' });
    const headers = { 'idempotency-key': 'listed' };
    const first = await post(body, headers);
    assert.deepEqual([first.status, first.headers['x-ignored']], [202, 'body.warehouse, body.lines.1.qty']);
    const again = await client.post(`${feedsPath}?y=1`, body, headers);
    assert.deepEqual(
      [again.status, again.headers['x-ignored']],
      [200, 'body.warehouse, body.lines.1.qty, query.y'],
    );
    const refused = await post(feedOf([{ sku: 'A', location: 'L', quantity: 1 }]));
    assertRefused(refused, 'validation_failed', ['lines.0.location_code']);
    assert.equal(refused.headers['x-ignored'], 'body.lines.0.location');
    assert.equal('x-ignored' in (await post(feedOf([line]))).headers, false);
  });

  it('are refused under strict handling, next to other problems, and nothing is stored', async () => {
    const before = await apps.sql('select count(*) from stock_feeds');
    const refused = await post(feedOf([{ sku: 'A', location: 'L', quantity: 1 }], { souce: 'x' }), strict);
    assertRefused(refused, 'validation_failed', ['lines.0.location', 'lines.0.location_code', 'souce']);
    assert.deepEqual(refused.json.errors['lines.0.location'], [
      'is not a known field; did you mean "location_code"?',
    ]);
    assert.equal(refused.headers['preference-applied'], 'handling=strict');
    assert.equal('x-ignored' in refused.headers, false);
    assertRefused(await post(feedOf(manyLines(4_000, { 7: { qty: 1 } })), strict), 'validation_failed', [
      'lines.7.qty',
    ]);
    assert.deepEqual(await apps.sql('select count(*) from stock_feeds'), before);
    const taken = await post(feedOf([line]), strict);
    assert.deepEqual([taken.status, taken.headers['preference-applied']], [202, 'handling=strict']);
  });

  // [platform-79]
  it('are those of the first 1,000 lines, at most 20, even in a body that a thread reads', async () => {
    const odd = { 999: { last: 1 }, 1000: { late: 1 } };
    const large = await post(feedOf(manyLines(4_000, odd)));
    assert.deepEqual([large.status, large.headers['x-ignored']], [202, 'body.lines.999.last']);
    const all = await post(feedOf(manyLines(4_000).map((sent) => ({ ...sent, qty: 1 }))));
    assert.equal(all.headers['x-ignored']?.split(', ').length, 20);
    const hundred = await post(feedOf(manyLines(4_000).map((sent) => ({ ...sent, qty: 1 }))), strict);
    assert.deepEqual([hundred.status, Object.keys(hundred.json.errors).length], [422, 100]);
  });

  it('are reported on the legacy path too, and counted', async () => {
    const { json } = await apps.admin.post(`/brands/${brandId}/feed-tokens`, { name: 'Legacy' });
    const answer = await apps.clientApp.inject({
      method: 'POST',
      url: '/v1/catalog/stock/feeds',
      headers: {
        authorization: `Bearer ${json.token}`,
        'idempotency-key': 'legacy',
        'content-type': 'application/json',
      },
      payload: JSON.stringify(feedOf([{ ...line, qty: 1 }])),
    });
    assert.deepEqual([answer.statusCode, answer.headers['x-ignored']], [202, 'body.lines.0.qty']);
    const counted = { operation: 'submitLegacyStockFeed' };
    assert.equal(await counterAt(apps.metrics, 'brandport_ignored_fields_total', counted), 1);
  });
});
