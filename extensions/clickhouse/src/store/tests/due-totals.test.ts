import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addDays } from '../../../../../server/src/analytics/day.ts';
import { waitingForLocks } from '../../../../../server/test/support/assert-refused.ts';
import { createTestDatabase } from '../../../../../server/test/support/test-database.ts';
import { waitFor } from '../../../../../server/test/support/wait-for.ts';
import {
  deleteTotalsMarks,
  listDueTotals,
  lockTotalsMarks,
  markForTotals,
} from '../coordination/due-totals-store.ts';

const last = '2026-03-31';
const through = '2026-03-24';

// [D207]
describe('the running totals that are due', async () => {
  const { database, sql } = await createTestDatabase();
  const due = (leastRows: number, brandIds: readonly number[]) =>
    database.transaction((tx) => listDueTotals(tx, leastRows, brandIds));
  const marked = async () =>
    (await sql<{ id: number }>('select brand_id as id from analytics.totals_marks order by brand_id')).map(
      ({ id }) => id,
    );
  /** Days with one row of users and ten of content engagement each. */
  const addDaysOf = (brandId: number, from: string, days: number) =>
    sql(
      `insert into analytics.brand_days (brand_id, day, aggregated_at, row_counts)
       select ${brandId}, date '${from}' + n, now(), '{"users": 1, "content_engagement": 10, "daily": 0}'
       from generate_series(0, ${days - 1}) n`,
    );

  it('are those with enough rows up to the week before the last aggregated day', async () => {
    await addDaysOf(1, addDays(through, -9), 17);
    // Later days with events count once they are aggregated.
    await sql(`insert into analytics.brand_days (brand_id, day, changes) values (1, date '${last}' + 30, 1)`);
    assert.deepEqual(await due(10, [1]), [
      { brandId: 1, dataset: 'content_engagement', through },
      { brandId: 1, dataset: 'users', through },
    ]);
    assert.deepEqual(await due(11, [1]), [{ brandId: 1, dataset: 'content_engagement', through }]);
    assert.deepEqual(await due(100, [1]), [{ brandId: 1, dataset: 'content_engagement', through }]);
    assert.deepEqual(await due(101, [1]), []);
    assert.deepEqual(await due(1, [2]), [], 'a brand without days');
  });

  it('are those whose days since the totals have a quarter as many rows', async () => {
    await addDaysOf(3, addDays(through, -9), 17);
    await sql(
      `insert into analytics.running_totals (brand_id, dataset, through, generation, rows)
       values (3, 'users', date '${through}' - 2, 1, 8), (3, 'content_engagement', date '${through}' - 2, 1, 81)`,
    );
    assert.deepEqual(await due(1, [3]), [
      { brandId: 3, dataset: 'content_engagement', through },
      { brandId: 3, dataset: 'users', through },
    ]);
    await sql('update analytics.running_totals set rows = rows * 2 where brand_id = 3');
    assert.deepEqual(await due(1, [3]), []);
    await sql(`update analytics.running_totals set through = date '${through}', rows = 0 where brand_id = 3`);
    assert.deepEqual(await due(1, [3]), []);
  });

  it('are examined in the order of brands, without those that another upkeep holds', async () => {
    for (const brandId of [14, 11, 13, 12]) await database.transaction((tx) => markForTotals(tx, brandId));
    await database.transaction(async (tx) => {
      assert.deepEqual(await lockTotalsMarks(tx, 0, 2), [11, 12]);
      await database.transaction(async (other) => {
        assert.deepEqual(await lockTotalsMarks(other, 0, 9), [13, 14]);
        assert.deepEqual(await lockTotalsMarks(other, 14, 9), []);
      });
    });
    await database.transaction((tx) => deleteTotalsMarks(tx, [11, 12, 13, 14]));
    assert.deepEqual(await marked(), []);
  });

  it('are examined again if an aggregation commits while its mark is examined', async () => {
    // The aggregation finds a mark, and commits after an upkeep has looked.
    await database.transaction((tx) => markForTotals(tx, 20));
    await database.transaction(async (aggregation) => {
      await markForTotals(aggregation, 20);
      await database.transaction(async (upkeep) => {
        assert.deepEqual(await lockTotalsMarks(upkeep, 0, 9), []);
      });
    });
    assert.deepEqual(await marked(), [20]);

    // The upkeep has looked, and deletes the mark after the aggregation wanted to set it.
    let marking: Promise<void> | null = null;
    await database.transaction(async (upkeep) => {
      assert.deepEqual(await lockTotalsMarks(upkeep, 0, 9), [20]);
      marking = database.transaction((aggregation) => markForTotals(aggregation, 20));
      await waitFor('the aggregation to wait', async () => (await waitingForLocks({ sql })) === 1);
      await deleteTotalsMarks(upkeep, [20]);
    });
    await marking;
    assert.deepEqual(await marked(), [20]);
  });
});
