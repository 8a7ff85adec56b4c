import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient, ApiResponse } from '../../../../test/support/api-client.ts';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { newAxes, newParent, selecting } from '../../tests/new-axes.ts';

/**
 * The second line of defence behind the brand's catalog lock: here a transaction writes without it. The request waits
 * for that transaction, which then commits.
 */
const apps = await createTestApps();
let client: ApiClient;
let brandId: number;
let productTuId: string;

beforeEach(async () => {
  ({ client, brandId } = await apps.newBrand());
  await newAxes(client, { color: ['red', 'blue'], free: ['x', 'y'] });
  productTuId = (await newParent(client, { color: ['red', 'blue'] })).tu_id;
});

async function overtakenBy(sql: readonly string[], send: () => Promise<ApiResponse>): Promise<ApiResponse> {
  const intruder = await apps.database.pool.connect();
  try {
    await intruder.query('begin');
    for (const text of sql) await intruder.query(text, [brandId]);
    const answer = send();
    const limit = Date.now() + 10_000;
    for (let waiting = false; !waiting; await sleep(5)) {
      const [row] = await apps.sql<{ count: string }>(
        `select count(*) from pg_locks where not granted and pid <> pg_backend_pid()
           and pid in (select pid from pg_stat_activity where datname = current_database())`,
      );
      waiting = Number(row?.count) > 0;
      if (Date.now() > limit) throw new Error('nothing waits');
    }
    await intruder.query('commit');
    return await answer;
  } finally {
    await intruder.query('rollback');
    intruder.release();
  }
}

const deleteRed = [
  `delete from product_axis_values where brand_id = $1 and value_id = (select id from axis_values where brand_id = $1 and value = 'red')`,
  `delete from axis_values where brand_id = $1 and value = 'red'`,
];
const attachFree = `insert into product_axes (brand_id, product_id, axis_id, position)
  select $1, p.id, a.id, 9 from products p join axes a using (brand_id) where p.brand_id = $1 and a.code = 'free'`;
const selectX = `insert into product_axis_values (brand_id, product_id, axis_id, value_id)
  select $1, p.id, w.axis_id, w.id from products p join axis_values w using (brand_id)
  where p.brand_id = $1 and w.value = 'x'`;

describe('a foreign key that a write without the lock breaks makes', () => {
  it('a creation be decided again, and fail with 422 on axis_values', async () => {
    const body = { sku: 'X', axis_values: { color: 'red' } };
    const answer = await overtakenBy(deleteRed, () =>
      client.create(`/catalog/products/${productTuId}/variants`, body),
    );
    assertRefused(answer, 'validation_failed', ['axis_values.color']);
  });

  it('a generation be decided again, without the value', async () => {
    const generate = () => client.create(`/catalog/products/${productTuId}/variants/generate`);
    const { status, json } = await overtakenBy(deleteRed, generate);
    assert.deepEqual([status, json.created], [201, 1]);
  });

  it('a selection be decided again, and fail with 422 on the value', async () => {
    const wanted = selecting({ color: ['red'], free: ['x'] });
    const answer = await overtakenBy([`delete from axis_values where brand_id = $1 and value = 'x'`], () =>
      client.put(`/catalog/products/${productTuId}/axes`, wanted),
    );
    assertRefused(answer, 'validation_failed', ['axes.1.values.0']);
  });

  it('a deletion of an axis fail with axis_in_use', async () => {
    assertRefused(await overtakenBy([attachFree], () => client.delete('/catalog/axes/free')), 'axis_in_use');
  });

  it('a deletion of a value fail with value_in_use', async () => {
    const send = () => client.delete('/catalog/axes/free/values/x');
    assertRefused(await overtakenBy([attachFree, selectX], send), 'value_in_use');
  });
});
