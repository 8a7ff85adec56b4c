import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiClient } from '../../../../test/support/api-client.ts';
import { createTestApps, type TestApps } from '../../../../test/support/test-apps.ts';
import { adjusted, newSimple } from '../../stock/tests/stock.ts';
import { HeldAnswers } from './held-answers.ts';

const original = await createTestApps();
const { client, brandId, apiKey } = await original.newBrand();
const { tu_id: tuId } = await newSimple(client, 'RESTORED');
const detail = `/catalog/products/${tuId}`;
const paths = [detail, '/catalog/products', '/catalog/products?sku=RESTORED'];
await adjusted(client, tuId, { quantity: 1 });

/** The tables that a dump of the catalog's stock contains, counters included. */
const tables = [
  'brand_catalogs',
  'brand_stocks',
  'stock_changes',
  'product_stock',
  'stock_levels',
  'stock_movements',
];

async function stockVersion(apps: TestApps): Promise<number> {
  const [row] = await apps.sql<{ version: string }>(
    'select version as version from brand_stocks where brand_id = $1',
    [brandId],
  );
  return Number(row?.version);
}

/** Sends the tags of `held` to another server: a 304 would confirm a body that is wrong there. */
async function assertNoneHolds(here: ApiClient, elsewhere: ApiClient): Promise<void> {
  for (const path of paths) {
    const there = await elsewhere.get(path);
    const answer = await here.get(path, { 'if-none-match': there.headers['etag'] as string });
    assert.notEqual(there.text, answer.text);
    assert.equal(answer.status, 200, `${path}: ${there.text} is considered current`);
  }
}

describe('a tag from before a restore of the data', () => {
  it('is invalid even if the counters reach the same numbers again', async () => {
    for (const table of tables) await original.sql(`create table saved_${table} as table ${table}`);
    for (const quantity of [5, 6, 7]) await adjusted(client, tuId, { quantity });
    const held = await HeldAnswers.of(client, paths);
    const before = await stockVersion(original);

    for (const table of tables.toReversed()) await original.sql(`delete from ${table}`);
    for (const table of tables) {
      const [row] = await original.sql<{ columns: string }>(
        `select string_agg(quote_ident(attname), ', ') as columns from pg_attribute
         where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
      );
      await original.sql(
        `insert into ${table} (${row?.columns}) overriding system value select ${row?.columns} from saved_${table}`,
      );
    }
    for (const quantity of [50, 60, 70]) await adjusted(client, tuId, { quantity });
    assert.equal(await stockVersion(original), before);
    await held.assertMoved('the restored data');
  });
});

describe('two copies of one database', () => {
  it('never accept each other’s tags, regardless of their counters', async () => {
    const copy = await createTestApps({ copyOf: original });
    const copied = copy.clientWith(apiKey);
    for (const quantity of [100, 101]) await adjusted(client, tuId, { quantity });
    for (const quantity of [200, 201]) await adjusted(copied, tuId, { quantity });
    assert.equal(await stockVersion(copy), await stockVersion(original));
    await assertNoneHolds(client, copied);
    await assertNoneHolds(copied, client);
  });
});

it('a rewrite of a table invalidates a tag once; the next tag stays valid', async () => {
  const { headers } = await client.get(detail);
  await original.sql('vacuum full brand_catalogs');
  const after = await client.get(detail, { 'if-none-match': headers['etag'] as string });
  assert.equal(after.status, 200);
  const again = await client.get(detail, { 'if-none-match': after.headers['etag'] as string });
  assert.equal(again.status, 304);
});
