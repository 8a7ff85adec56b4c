import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { migrate } from '../../src/postgres/schema/migrate.ts';
import { mainSchema } from '../../src/postgres/schema/schema-line.ts';
import { createDatabase, runSql } from '../../test/support/fresh-database.ts';
import { restoreState } from './schema-state.ts';

const address = await createDatabase();
await restoreState(address, 'main-0014-analytics-0006.sql');

const linesOf = (batch: string) =>
  runSql<{ line: number; row: string }>(
    address,
    `select l.line, jsonb_build_array(l.sku, l.location_code, l.quantity, l.reserved, l.updated_at, l.result)::text as row
     from stock_feed_lines l join stock_feeds f on f.brand_id = l.brand_id and f.id = l.feed_id
     where f.batch_id = $1 order by l.line`,
    [batch],
  );

const results = `(array['applied', 'unchanged', 'stale', 'unknown_sku', 'unknown_location', 'not_stockable', 'superseded'])`;

/** Stores a feed with lines of every result, of which those from `decided` on have none. */
async function addFeed(batch: string, lines: number, decided: number): Promise<void> {
  await runSql(
    address,
    `with feed as (
       insert into stock_feeds (brand_id, tu_id, batch_id, lines_sha256, source, status, received_lines, next_line, received_at)
       select id, gen_random_uuid(), $1, '', 'erp', 'processing', $2, $3, now() from brands
       returning brand_id, id
     )
     insert into stock_feed_lines (brand_id, feed_id, line, sku, location_code, quantity, reserved, updated_at, result)
     select brand_id, id, n, 'Größe „' || n || '“, {"a"}', 'L' || n % 4, n, nullif(n % 3, 0), now() - n * interval '1 second',
       case when n < $3 then ${results}[n % 7 + 1] end
     from feed, generate_series(0, $2::integer - 1) n`,
    [batch, lines, decided],
  );
}

// [D220]
describe('the migration of feed lines to packs', async () => {
  await addFeed('whole', 3_000, 3_000);
  await addFeed('half', 2_500, 1_000);
  await addFeed('with-gaps', 2_100, 0);
  // Lines that a damaged feed has lost: the first one, some across two packs, and a whole pack's worth.
  await runSql(
    address,
    `delete from stock_feed_lines l using stock_feeds f
     where f.batch_id = 'with-gaps' and l.brand_id = f.brand_id and l.feed_id = f.id
       and (l.line = 0 or l.line between 990 and 2005)`,
  );
  const batches = ['whole', 'half', 'with-gaps'];
  const before = await Promise.all(batches.map(linesOf));
  await migrate(address, mainSchema);

  it('keeps every line under its number, with its result or none', async () => {
    assert.deepEqual(
      before.map(({ length }) => length),
      [3_000, 2_500, 1_083],
    );
    assert.deepEqual(await Promise.all(batches.map(linesOf)), before);
  });

  it('leaves nothing of the partitions of lines', async () => {
    const found = await runSql(
      address,
      `select relname from pg_class where relname like 'stock_feed_lines%'`,
    );
    assert.deepEqual(found, [{ relname: 'stock_feed_lines' }]);
    assert.deepEqual(await runSql(address, 'select distinct table_name from table_partitions'), [
      { table_name: 'audit_entries' },
    ]);
  });

  it('packs a thousand lines to a row', async () => {
    const packs = await runSql<{ batch_id: string; packs: number[] }>(
      address,
      `select f.batch_id, json_agg(length(p.results) order by p.first_line) as packs
       from stock_feed_packs p join stock_feeds f on f.brand_id = p.brand_id and f.id = p.feed_id
       where f.batch_id = any ($1)
       group by f.batch_id order by min(f.id)`,
      [batches],
    );
    assert.deepEqual(packs, [
      { batch_id: 'whole', packs: [1_000, 1_000, 1_000] },
      { batch_id: 'half', packs: [1_000, 1_000, 500] },
      { batch_id: 'with-gaps', packs: [1_000, 1_000, 100] },
    ]);
  });
});
