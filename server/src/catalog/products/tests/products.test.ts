import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';

const apps = await createTestApps();

test('50 concurrent creations with one SKU give exactly one product', async () => {
  const { client } = await apps.newBrand();
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => client.create('/catalog/products', { sku: 'ONE' })),
  );
  assert.deepEqual(
    Object.entries(Object.groupBy(answers, ({ status }) => status)).map(([status, all]) => [
      status,
      all?.length,
    ]),
    [
      ['201', 1],
      ['409', 49],
    ],
  );
  const list = await client.get('/catalog/products?sku=ONE');
  assert.equal(list.json.meta.total, 1);
});

test('50 concurrent requests with one Idempotency-Key have one effect', async () => {
  const { client } = await apps.newBrand();
  const answers = await Promise.all(
    Array.from({ length: 50 }, () =>
      client.post('/catalog/products', { sku: 'ONCE' }, { 'idempotency-key': 'the-only-one' }),
    ),
  );
  for (const { status, json } of answers)
    assert.ok(status === 201 || json.code === 'idempotency_conflict', `${status} ${json.code}`);
  const bodies = new Set(answers.filter(({ status }) => status === 201).map(({ text }) => text));
  assert.equal(bodies.size, 1);
  const list = await client.get('/catalog/products');
  assert.equal(list.json.meta.total, 1);
});
