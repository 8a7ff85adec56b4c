import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { newStockedBrand } from '../../catalog/stock/tests/stock.ts';
import { ok } from '../../catalog/tests/new-axes.ts';

const apps = await createTestApps();
const { client, brandId, sku, tu_id } = await newStockedBrand(apps);
const one = '1.00000000000000001';
const product = `/catalog/products/${tu_id}`;

// [platform-39] [platform-91]
describe('a number is the double that is nearest to it', () => {
  it('in a price', async () => {
    assert.equal((await ok(client.patch(product, `{"price_value":${one}}`))).price_value, 1);
    const { errors } = (await client.patch(product, '{"price_value":11.120000000000001}')).json;
    assert.deepEqual(errors.price_value, [
      'must have at most 4 decimal places; round a computed price before you send it, here to 11.12',
    ]);
  });

  it('in an integer, of which a fraction is refused', async () => {
    const adjust = (quantity: string) =>
      client.create(`${product}/stock/adjust`, `{"location":"WH","quantity":${quantity}}`);
    assert.equal((await ok(adjust(one))).level.quantity, 1);
    assertRefused(await adjust('1.0000000000000002'), 'validation_failed', ['quantity']);
  });

  it('in the line of a feed', async () => {
    const send = (quantity: string) =>
      client.create(
        '/catalog/stock/feeds',
        `{"source":"erp","mode":"snapshot","lines":[{"sku":"${sku}","location_code":"WH","quantity":${quantity}}]}`,
      );
    assert.equal((await send(one)).status, 202);
    assertRefused(await send('1.0000000000000002'), 'validation_failed', ['lines.0.quantity']);
  });

  it('in a learning event', async () => {
    await ok(apps.admin.put(`/brands/${brandId}/users`, { items: [{ tu_id: 'u' }] }));
    const event = (id: string, xp: string) =>
      `{"event_id":"${id}","occurred_at":"2026-03-01T08:00:00Z","kind":"completion","user":"u","content":{"type":"episode","tu_id":"e"},"xp_earned":${xp}}`;
    const body = `${event('a', one)}\n${event('b', '1.0000000000000002')}\n`;
    const headers = { 'content-type': 'application/x-ndjson' };
    const sent = await apps.admin.request('POST', `/brands/${brandId}/events`, { body, headers });
    assert.partialDeepStrictEqual(sent.json, { accepted: 1, rejected: [{ index: 1 }] });
  });
});

// [platform-91]
describe('of a name that occurs twice the last value counts', () => {
  it('in a body', async () => {
    const body = '{"title":"First","title":"Last","price_value":"x","price_value":2}';
    assert.partialDeepStrictEqual(await ok(client.patch(product, body)), { title: 'Last', price_value: 2 });
  });

  it('in the line of a feed, and in its body', async () => {
    const line = `{"sku":"unknown","sku":"${sku}","location_code":"WH","quantity":"x","quantity":7}`;
    const body = `{"source":"first","source":"last","mode":"delta","mode":"snapshot","lines":[],"lines":[${line}]}`;
    const { feed_id } = await ok(client.create('/catalog/stock/feeds', body), 202);
    const report = await ok(client.get(`/catalog/stock/feeds/${feed_id}`));
    assert.partialDeepStrictEqual(report, { source: 'last', lines: { data: [{ sku }] } });
  });
});
