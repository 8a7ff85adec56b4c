import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { newSeededBrand } from '../../tests/seed.ts';

const apps = await createTestApps();
const day = '2026-03-01';

// [internal-39]
test('an event without a market keeps the market that its user had when it arrived', async () => {
  const brand = await newSeededBrand(apps, { users: ['ann'], markets: ['north', 'south'] });
  const ann = { day, user: 'ann' };
  const moveTo = (market: string | null) => brand.put('users', [{ tu_id: 'ann', market }]);
  await moveTo('north');
  await brand.send([{ ...ann, event_id: 'first' }]);
  await moveTo('south');
  await brand.send([
    { ...ann, event_id: 'second' },
    { ...ann, event_id: 'named', market: 'north' },
  ]);
  await moveTo(null);
  await brand.send([{ ...ann, event_id: 'third' }]);
  const rows = await apps.sql(
    `select e.event_id, m.tu_id as market from analytics.learning_events e
     left join markets m on m.brand_id = e.brand_id and m.id = e.market_id
     where e.brand_id = $1 order by e.event_id`,
    [brand.brandId],
  );
  assert.deepEqual(rows, [
    { event_id: 'first', market: 'north' },
    { event_id: 'named', market: 'north' },
    { event_id: 'second', market: 'south' },
    { event_id: 'third', market: null },
  ]);
});

// [internal-48]
test('the intake of events writes no audit entry', async () => {
  const brand = await newSeededBrand(apps);
  const entries = async () => (await apps.admin.get(`/audit?brand_id=${brand.brandId}`)).json.meta.total;
  const before = await entries();
  assert.ok(before > 0);
  await brand.send([{ day }, { day }]);
  const items = [{ event_id: 'e', occurred_at: `${day}T10:00:00Z`, kind: 'like', user: 'nobody' }];
  assert.equal((await apps.admin.post(`/brands/${brand.brandId}/events`, { items })).status, 200);
  assert.equal(await entries(), before);
});
