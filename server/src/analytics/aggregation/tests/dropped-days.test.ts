import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { addDays, yesterdayOf } from '../../day.ts';
import { newSeededBrand } from '../../tests/seed.ts';
import { aggregateAllBrands } from '../aggregation-service.ts';

const apps = await createTestApps();
const yesterday = yesterdayOf(apps.clock.now());

describe('aggregating days whose events were dropped', () => {
  // [internal-44]
  it('is a conflict that names the first day with events, and the nightly run leaves them out', async () => {
    const dropped = addDays(yesterday, -62);
    const brand = await newSeededBrand(apps, { users: ['a'] });
    await brand.send([
      { day: dropped, user: 'a' },
      { day: yesterday, user: 'a' },
    ]);
    await brand.aggregate({ from: dropped, to: dropped });
    const [row] = await apps.sql<{ first: string }>(
      `select to_char(analytics.drop_events_before($1::date + 31), 'YYYY-MM-DD') as first`,
      [dropped],
    );
    const first = row?.first as string;
    assert.ok(first > dropped && first <= yesterday, first);

    const url = `/brands/${brand.brandId}/aggregations`;
    const auditOf = `/audit?brand_id=${brand.brandId}&action=analytics.aggregate`;
    const { json: audit } = await apps.admin.get(auditOf);
    for (const range of [
      { from: dropped, to: dropped },
      { from: addDays(first, -1), to: first },
      // Long enough for a job.
      { from: dropped, to: yesterday },
    ]) {
      const { status, json } = await apps.admin.post(url, range);
      assert.deepEqual([status, json.code], [409, 'conflict']);
      assert.match(json.message, new RegExp(`before ${first} were dropped`));
    }
    assert.deepEqual((await apps.admin.get(auditOf)).json, audit);

    await aggregateAllBrands(apps.context);
    const { json: list } = await apps.admin.get(`${url}?per_page=200`);
    const days: string[] = list.data.map(({ date }: { date: string }) => date);
    assert.ok(days.includes(yesterday));
    assert.deepEqual(
      days.filter((day) => day < first),
      [dropped],
    );
    assert.equal(list.data.at(-1).rows.users, 1);
    assert.equal((await apps.admin.post(url, { from: first, to: first })).status, 200);
  });
});
