import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiClient } from '../../../../test/support/api-client.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { newTuId } from '../../../lib/ids.ts';
import { newAxes, newParent, ok } from '../../tests/new-axes.ts';

const apps = await createTestApps();
const [ours, theirs] = [await apps.newBrand(), await apps.newBrand()];

/** Creates products of every kind; the last has too many variants for a short statement. */
async function createProducts(client: ApiClient): Promise<string[]> {
  const values = Array.from({ length: 201 }, (_, n) => `v${n}`);
  await newAxes(client, { v: values });
  const ids: string[] = [];
  for (const title of ['Plain', 'Ünïcode 😀 , with commas', 'Third'])
    ids.push((await ok(client.create('/catalog/products', { sku: title, title }), 201)).tu_id);
  for (const count of [1, 3, 201]) {
    const { tu_id } = await newParent(client, { v: values.slice(0, count) });
    await ok(client.create(`/catalog/products/${tu_id}/variants/generate`, { activate: true }), 201);
    ids.push(tu_id);
  }
  return ids;
}

const products = { ours: await createProducts(ours.client), theirs: await createProducts(theirs.client) };

describe('details that are read together', () => {
  it('are those that are read one after the other, for each brand and with each outcome', async () => {
    const missing = [newTuId(), newTuId()];
    const reads = [
      ...[...products.ours, ...missing, ...products.theirs].map((tuId) => ({ client: ours.client, tuId })),
      ...[...products.theirs, ...missing, ...products.ours].map((tuId) => ({ client: theirs.client, tuId })),
    ];
    const read = async ({ client, tuId }: (typeof reads)[0]) => {
      const { status, text, headers } = await client.get(`/catalog/products/${tuId}`);
      return [status, status === 200 ? text : '', headers['etag']];
    };
    const alone: unknown[] = [];
    for (const each of reads) alone.push(await read(each));
    // Some bodies are kept by the second time, and all by the third.
    for (let round = 0; round < 3; round += 1) assert.deepEqual(await Promise.all(reads.map(read)), alone);
    assert.equal(alone.filter((each) => (each as unknown[])[0] === 200).length, 12);
  });
});
