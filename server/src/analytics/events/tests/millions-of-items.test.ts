// nightly: a body of 1.5 million items takes most of a minute
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';

const apps = await createTestApps();
const { brandId } = await apps.newBrand();

it('a list of events may have millions of items that are not events', async () => {
  const count = 1_500_000;
  const answer = await apps.admin.post(`/brands/${brandId}/events`, `{"items": [${'{},'.repeat(count)}{}]}`);
  assert.equal(answer.status, 200, answer.text.slice(0, 500));
  assert.deepEqual([answer.json.rejected_count, answer.json.rejected.length], [count + 1, 10_000]);
});
