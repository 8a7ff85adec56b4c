// processes, alone: a feed that needs more memory than there is
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { feedsPath } from './feeds.ts';

const apps = await createTestApps({
  threadLimits: { maxOldGenerationSizeMb: 24, maxYoungGenerationSizeMb: 8 },
});
const { client } = await apps.newBrand();

const feedOf = (lines: number) => ({
  source: 'erp',
  mode: 'snapshot',
  lines: Array.from({ length: lines }, (_, index) => ({
    sku: `${index}-${'\u0436'.repeat(150)}`,
    location_code: 'L',
    quantity: 1,
  })),
});

it('a feed whose lines need more memory than its thread has is refused, and the next one is accepted', async () => {
  const post = (batch: string, lines: number) =>
    client.post(feedsPath, feedOf(lines), { 'idempotency-key': batch });
  const refused = await post('too-large', 90_000);
  assertRefused(refused, 'validation_failed', ['body']);
  assert.deepEqual(refused.json.errors.body, ['must take less memory to parse']);
  assert.equal((await post('small', 2_000)).status, 202);
  // The refused batch is not stored.
  assert.equal((await post('too-large', 2_000)).status, 202);
});
