import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { dropStockChanges } from '../../catalog/stock/brand-stock-store.ts';
import { dayMs, retainOne } from './retain.ts';

const apps = await createTestApps({ poolSize: 8 });
const { sql, clock, database } = apps;

/** Records changes of a brand, a minute apart, until `last`. */
const addChanges = (brandId: number, count: number, last: Date) =>
  sql(
    `insert into stock_changes (brand_id, version, changed_at, level_ids)
     select $1, n, $3::timestamptz - ($2 - n) * interval '1 minute', '{1}' from generate_series(1, $2::integer) n`,
    [brandId, count, last],
  );

async function versionsOf(brandId: number): Promise<number[]> {
  const rows = await sql<{ version: number }>(
    'select version::integer from stock_changes where brand_id = $1 order by version',
    [brandId],
  );
  return rows.map(({ version }) => version);
}

// [internal-55] [catalog-121]
describe('the retention of changed stock levels', () => {
  it('drops what is older than 8 days, in batches, the oldest first, and keeps what is exactly as old', async () => {
    const { brandId } = await apps.newBrand();
    const last = new Date(clock.now());
    await addChanges(brandId, 10, last);
    const limit = new Date(last.getTime() - 3 * 60_000);
    const drop = (rows: number) => database.transaction((tx) => dropStockChanges(tx, limit, rows));
    assert.equal(await drop(4), 4);
    assert.deepEqual(await versionsOf(brandId), [5, 6, 7, 8, 9, 10]);
    assert.equal(await drop(4), 2);
    assert.deepEqual(await versionsOf(brandId), [7, 8, 9, 10]);
    clock.advance(8 * dayMs - 90_000);
    assert.equal((await retainOne(apps, 'stock-changes', 8)).droppedRows, 2);
    assert.deepEqual(await versionsOf(brandId), [9, 10]);
  });

  it('never drops a later record of a brand before an earlier one, from several workers', async () => {
    const { brandId } = await apps.newBrand();
    await addChanges(brandId, 9_000, new Date(clock.now() - 9 * dayMs));
    const gaps: number[][] = [];
    let isDone = false;
    const watching = (async () => {
      while (!isDone) {
        const versions = await versionsOf(brandId);
        if (versions.length > 0 && (versions.at(-1) !== 9_000 || 9_001 - versions.length !== versions[0]))
          gaps.push([versions[0] ?? 0, versions.at(-1) ?? 0, versions.length]);
      }
    })();
    const before = new Date(clock.now() - 8 * dayMs);
    const dropAll = async (): Promise<number> => {
      const rows = await database.transaction((tx) => dropStockChanges(tx, before, 500));
      return rows === 0 ? 0 : rows + (await dropAll());
    };
    const dropped = await Promise.all([dropAll(), dropAll(), dropAll()]);
    isDone = true;
    await watching;
    assert.deepEqual(gaps, []);
    assert.equal(dropped.reduce((sum, rows) => sum + rows) + (await versionsOf(brandId)).length, 9_000);
  });
});
