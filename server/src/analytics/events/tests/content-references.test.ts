import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { ContentReferences } from '../event-intake.ts';

const apps = await createTestApps();

async function newBrand() {
  const { brandId } = await apps.newBrand();
  const rows = () => apps.sql('select type, tu_id, id from contents where brand_id = $1', [brandId]);
  const idsOf = async () => new Map((await rows()).map(({ type, tu_id, id }) => [`${type}/${tu_id}`, id]));
  return { brandId, idsOf };
}

test('contents get their ids, new ones too, in any combination and repetition', async () => {
  const { brandId, idsOf } = await newBrand();
  await apps.admin.put(`/brands/${brandId}/contents`, { items: [{ type: 'episode', tu_id: 'listed' }] });
  const named = [
    { type: 'episode', tuId: 'listed' },
    { type: 'program', tuId: 'listed' },
    { type: 'episode', tuId: 'new' },
    { type: 'episode', tuId: 'new' },
  ];
  const found = await Promise.all(
    Array.from({ length: 10 }, () => new ContentReferences(apps.database, brandId).refer(named)),
  );
  const ids = await idsOf();
  assert.equal(ids.size, 3);
  for (const idOf of found)
    for (const content of named) assert.equal(idOf(content), ids.get(`${content.type}/${content.tuId}`));
  assert.throws(() => found[0]?.({ type: 'quest', tuId: 'later' }));
});

test('contents of a call are known after it, even beyond the cache size and during other calls', async () => {
  const { brandId, idsOf } = await newBrand();
  const references = new ContentReferences(apps.database, brandId, 3);
  const batches = [['a', 'b'], ['c', 'd'], ['a', 'e'], ['f', 'a', 'b', 'c', 'd'], ['f'], ['g', 'a']].map(
    (tuIds) => tuIds.map((tuId) => ({ type: 'episode', tuId })),
  );
  const inTurn = [];
  for (const batch of batches) inTurn.push(await references.refer(batch));
  const atOnce = await Promise.all(batches.map((batch) => references.refer(batch)));
  const ids = await idsOf();
  assert.equal(ids.size, 7);
  for (const found of [inTurn, atOnce])
    for (const [index, batch] of batches.entries())
      for (const content of batch) assert.equal(found[index]?.(content), ids.get(`episode/${content.tuId}`));
});
